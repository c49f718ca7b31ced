/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How numbers look, everywhere the same: thousands separators, SI units after a space, "n/a" for
 * what is not known. Every function returns `text`, which has room for NUMBER_ROOM bytes.
 */
#ifndef SSDREVIEW_NUMBER_H
#define SSDREVIEW_NUMBER_H

#define NUMBER_ROOM 64

/* 295132.4 -> "295,132"; three significant digits below 100: "9.43" */
char *number_count(double value, char *text);
/* 12.4 -> "12": what is counted, and has no fractions */
char *number_whole(double value, char *text);
/* 421.3 -> "421 us", 9.43 -> "9.43 us", 12345 -> "12,345 us" */
char *number_us(double us, char *text);
/* 2404123456 -> "2,404 MB/s" (decimal) */
char *number_mbps(double bytes_per_s, char *text);
/* 0.0123 -> "1.2 %" */
char *number_percent(double share, char *text);
/* 20480000000 -> "20.5 GB" (decimal), 999 -> "999 B" */
char *number_bytes(double bytes, char *text);
/* 3840 -> "1 h 04 min", 59.2 -> "1 min 00 s": rounded up, never below 0 */
char *number_duration(double seconds, char *text);

/*
 * A number that begins with a digit: strtod() alone takes "nan", "inf", "-1", " 1", "0x1" and what
 * is too large, too. What comes after it; NULL: there is none.
 */
const char *number_parse(const char *text, double *value);
/* "500ms", "1.5 h", "2": with us, ms, s, m or min, h or d behind it, or in seconds; the same. */
const char *duration_parse(const char *text, double *us);

#endif
