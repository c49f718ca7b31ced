/* SPDX-License-Identifier: GPL-2.0-only */
/* How the page looks: light and dark, desktop and phone. */
#include <stdio.h>

#include "postprocess/report.h"

/* On dark ground the chart's colours are lighter, in the same order and hue. */
static const char dark[] =
	"--bg:#14171c;--fg:#e4e7ec;--soft:#9aa3b2;--card:#1b1f26;--grid:#333a45;--line:#8b94a3;"
	"--accent:#6cb6ff;--warn:#f0b429;"
	"--c0:#4aa3df;--c1:#ff8547;--c2:#2fc79a;--c3:#e39cc3;--c4:#f3b73e;--c5:#8bd0f5;"
	"--c6:#b48fd0;--c7:#d8c63a;";

static const char light[] =
	"--bg:#ffffff;--fg:#1f2430;--soft:#5b6472;--card:#f5f6f8;--grid:#d4d8de;--line:#6b7280;"
	"--accent:#0b62a8;--warn:#9a6700;";

static const char rules[] =
	"*{box-sizing:border-box}"
	"body{margin:0;background:var(--bg);color:var(--fg);"
	"font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
	"main{max-width:1120px;margin:0 auto;padding:28px 24px 64px}"
	"h1{font-size:1.9rem;line-height:1.2;margin:0 0 .3em}"
	"h2{font-size:1.35rem;margin:2.4em 0 .5em;padding-top:.7em;"
	"border-top:1px solid var(--grid)}"
	"h3{font-size:1.05rem;margin:1.6em 0 .4em}"
	"p{margin:.5em 0}.soft{color:var(--soft)}a{color:var(--accent)}"
	"nav{margin:1em 0;display:flex;flex-wrap:wrap;gap:.4em 1.2em}"
	".scroll{overflow-x:auto}"
	"table{border-collapse:collapse;width:100%;font-size:.92rem;margin:.6em 0 1em}"
	"caption{text-align:left;font-weight:600;padding:.3em 0}"
	"th,td{padding:.42em .7em;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--grid)}"
	"th{font-weight:600;color:var(--soft);white-space:nowrap;vertical-align:bottom}"
	".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
	"th.n{white-space:normal}"
	"tr.first td{font-weight:600}"
	".chart{margin:1em 0}"
	".chart svg{display:block;width:100%;max-width:900px;height:auto;margin:0 auto}"
	".scroll caption{position:absolute;left:-999em}"
	"td[data-l=Drive]{min-width:9em}td[data-l=Marks]{min-width:10em}"
	".points{font-size:.82rem}.points td,.points th{padding:.3em .5em}"
	".points td[data-l=Drive]{min-width:11em}.points td[data-l=Verdict]{min-width:16em}"
	".notes{background:var(--card);border-left:3px solid var(--warn);margin:1em 0;"
	"padding:.6em 1em .6em 1.9em;border-radius:4px}"
	".notes li{margin:.25em 0;overflow-wrap:anywhere}"
	"ul.says{padding-left:1.2em;margin:.4em 0}"
	"details{margin:.8em 0;background:var(--card);border-radius:6px;padding:.5em .9em}"
	"summary{cursor:pointer;font-weight:600}"
	"dl{display:grid;grid-template-columns:minmax(9em,auto) 1fr;gap:.2em 1.2em;margin:.7em 0;"
	"font-size:.92rem}"
	"dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}"
	".swatch{display:inline-block;width:.75em;height:.75em;border-radius:50%;"
	"margin-right:.5em;vertical-align:baseline}";

/*
 * On a phone a table becomes a list of cards, each cell with its heading before it; what says
 * nothing is left out. A chart keeps a size at which it can be read, and scrolls sideways.
 */
static const char phone[] =
	"main{padding:18px 14px 48px}h1{font-size:1.5rem}"
	".chart{overflow-x:auto}.chart svg{min-width:640px}.chart text{font-size:16px}"
	".cards thead{display:none}.cards,.cards tbody,.cards tr,.cards td{display:block}"
	".cards tr{border:1px solid var(--grid);border-radius:8px;margin:.6em 0;"
	"padding:.35em .8em;background:var(--card)}"
	".cards td{display:flex;justify-content:space-between;gap:1em;border:0;"
	"padding:.16em 0;text-align:right;white-space:normal}"
	".cards td::before{content:attr(data-l);color:var(--soft);text-align:left;"
	"font-weight:400;white-space:nowrap}"
	".points td[data-l=Verdict]{min-width:0}.cards td.none{display:none}"
	".cards tr.empty td:not(.none){display:inline;font-size:.85rem}"
	".cards tr.empty td::before{content:none}"
	".cards tr.empty td[data-l=Drive]{font-weight:600;margin-right:.6em}"
	"dl{grid-template-columns:1fr}dd{margin-bottom:.4em}";

void report_style(FILE *out)
{
	size_t i;

	fprintf(out, "<style>:root{color-scheme:light dark;%s", light);
	for (i = 0; i < PALETTE_COLOURS; i++)
		fprintf(out, "--c%zu:%s;", i, palette_colours[i]);
	fprintf(out, "}@media(prefers-color-scheme:dark){:root{%s}}%s", dark, rules);
	fprintf(out, "@media(max-width:720px){%s}", phone);
	fputs("@media print{details{display:block}}</style>\n", out);
}
