# SPDX-License-Identifier: GPL-2.0-only
# make            build everything           make demo    a ranked review of four simulated drives
# make test       all tests                  make bench   the figures the project promises
# make vm-test    those of them that need NVMe drives, on emulated ones
# make deps       fetch what is missing      make install PREFIX=/usr/local
# V=1 shows commands; SANITIZE=1 builds with AddressSanitizer and UBSan into build-asan/;
# FIO_SRC=DIR names the configured source of the installed fio (default: build/fio, made by ./start).

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib/ssdreview
DATADIR ?= $(PREFIX)/share/ssdreview
MANDIR ?= $(PREFIX)/share/man

B := build$(if $(SANITIZE),-asan)
FIO_SRC ?= build/fio
CC ?= gcc
PKGS := liburing jansson blkid mount inih liblzma libzstd zlib
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
SAN := $(if $(SANITIZE),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
CFLAGS ?= -O2 -g
DIRS = -DSSDREVIEW_LIBDIR='"$(LIBDIR)"' -DSSDREVIEW_DATADIR='"$(DATADIR)"'
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(SAN) -fPIC -I. -MMD -MP $(DIRS) \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null)
# pkg-config cannot tell of libnvme where the packages that libnvme itself is built with are missing.
LIBS = -Wl,--as-needed $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lnvme -lm -pthread

QUIET = $(if $(V),,@printf '  %-5s %s\n' $(1) $@;)

# One library a folder; the engines are shared objects on top of core, sim and base.
base_SRC := $(wildcard base/*.c)
sim_SRC := $(wildcard engines/sim/*.c)
trace_SRC := $(wildcard engines/trace/*.c)
replay_SRC := $(wildcard engines/replay/*.c)
writer_SRC := $(wildcard engines/writer/*.c)
qlc_SRC := $(wildcard engines/qlc/*.c)
mix_SRC := $(wildcard engines/mix/*.c)
device_SRC := $(wildcard device/*.c)
guard_SRC := $(wildcard engines/core/guard*.c)
post_SRC := $(wildcard postprocess/*.c)
review_SRC := $(filter-out review/main.c,$(wildcard review/*.c))
core_SRC := $(filter-out $(guard_SRC),$(wildcard engines/core/*.c))
engine_SRC := $(wildcard engines/*.c)
unit_SRC := $(wildcard tests/unit/test_*.c)
tool_SRC := $(wildcard tests/tools/*.c)

obj = $(patsubst %.c,$(B)/%.o,$(1))
ENGINES := $(patsubst engines/%.c,$(B)/%.so,$(engine_SRC))
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(unit_SRC))
TOOLS := $(patsubst tests/tools/%.c,$(B)/tools/%,$(tool_SRC))
ARCHIVES := $(B)/libreview.a $(B)/libpost.a $(B)/libguard.a $(B)/libdevice.a $(B)/libsim.a \
	$(B)/libtrace.a $(B)/libqlc.a $(B)/libmix.a $(B)/libbase.a

all: $(B)/ssdreview $(ENGINES)

$(B)/libbase.a: $(call obj,$(base_SRC))
$(B)/libsim.a: $(call obj,$(sim_SRC))
$(B)/libtrace.a: $(call obj,$(trace_SRC))
$(B)/libqlc.a: $(call obj,$(qlc_SRC))
$(B)/libmix.a: $(call obj,$(mix_SRC))
$(B)/libdevice.a: $(call obj,$(device_SRC))
$(B)/libguard.a: $(call obj,$(guard_SRC))
$(B)/libpost.a: $(call obj,$(post_SRC))
$(B)/libreview.a: $(call obj,$(review_SRC))
$(B)/libcore.a: $(call obj,$(core_SRC))
$(B)/libreplay.a: $(call obj,$(replay_SRC))
$(B)/libwriter.a: $(call obj,$(writer_SRC))
$(B)/lib%.a:
	$(call QUIET,AR)rm -f $@; ar rcs $@ $^

# The path of an I/O runs through core, engine, qlc and sim: link-time optimisation makes it one piece.
LTO = $(if $(SANITIZE),,-flto -ffat-lto-objects)
$(call obj,$(sim_SRC) $(qlc_SRC) $(mix_SRC)): EXTRA_CFLAGS = $(LTO)

# The engine core and the engines see fio's own headers, and the config of the fio they load into.
FIO_COMPILED_VERSION = $(or $(shell sed -n 's/^FIO_VERSION = //p' $(FIO_SRC)/FIO-VERSION-FILE 2>/dev/null), \
	$(shell sed -n 's/^DEF_VER=//p' $(FIO_SRC)/FIO-VERSION-GEN 2>/dev/null))
FIO_CFLAGS = -include $(FIO_SRC)/config-host.h -isystem $(FIO_SRC) -fvisibility=hidden $(LTO) -fno-plt \
	-DFIO_COMPILED_VERSION='"$(strip $(FIO_COMPILED_VERSION))"'
fio_obj := $(call obj,$(core_SRC) $(replay_SRC) $(writer_SRC) $(engine_SRC))
$(fio_obj): EXTRA_CFLAGS = $(FIO_CFLAGS)
$(fio_obj): $(FIO_SRC)/config-host.h

# The command compares the fio it will run with the one the engines were compiled against.
$(B)/review/fio_run.o: EXTRA_CFLAGS = -DFIO_COMPILED_VERSION='"$(strip $(FIO_COMPILED_VERSION))"'

$(FIO_SRC)/config-host.h:
	@./start deps

# Rewritten only when it changes: other flags, another PREFIX or another fio rebuild every object.
$(B)/flags: FORCE | $(FIO_SRC)/config-host.h
	@mkdir -p $(@D)
	@echo "$(subst ",,$(ALL_CFLAGS) $(FIO_CFLAGS))" | cmp -s - $@ || \
		echo "$(subst ",,$(ALL_CFLAGS) $(FIO_CFLAGS))" >$@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call QUIET,CC)$(CC) $(ALL_CFLAGS) $(EXTRA_CFLAGS) -c -o $@ $<

$(B)/%.so: $(B)/engines/%.o $(B)/libreplay.a $(B)/libwriter.a $(B)/libqlc.a $(B)/libcore.a $(B)/libmix.a $(B)/libguard.a $(B)/libsim.a \
		$(B)/libtrace.a $(B)/libdevice.a $(B)/libbase.a engines/exports.map
	$(call QUIET,LINK)$(CC) -shared $(CFLAGS) $(SAN) $(LTO) -o $@ $(filter %.o %.a,$^) $(LIBS) \
		-Wl,--version-script=engines/exports.map -Wl,-Bsymbolic -Wl,-z,nodelete

$(B)/ssdreview: $(B)/review/main.o $(ARCHIVES)
	$(call QUIET,LINK)$(CC) $(SAN) -o $@ $^ $(LIBS)

$(B)/tests/%: $(B)/tests/unit/%.o $(B)/libreplay.a $(B)/libcore.a $(ARCHIVES)
	@mkdir -p $(@D)
	$(call QUIET,LINK)$(CC) $(SAN) -o $@ $^ $(LIBS) $(shell pkg-config --libs check)

$(B)/tools/%: $(B)/tests/tools/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(call QUIET,LINK)$(CC) $(SAN) -o $@ $^ $(LIBS)

-include Makefile.targets

tests: all $(UNIT) $(TOOLS)

deps:
	@./start deps

clean:
	rm -rf build/*.so build/*.a build/flags build/ssdreview build/base build/device build/engines build/review build/postprocess \
		build/tests build/tools build-asan

.PHONY: all tests deps clean FORCE
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
