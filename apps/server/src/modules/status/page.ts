import { fillWords, localeOf, LOCALES, textIn, type Locale } from '@exchange/core/locale.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { PAUSE_CAUSE_WORDS } from '@exchange/core/pause-cause-words.ts';
import type { PublicPause } from '@exchange/core/trading-pause.ts';
import type { Page } from '../../platform/http/page.ts';
import {
  isWorking,
  LATENCY_BOUNDS_MS,
  latencyWithin,
  type DirectionStatus,
  type Incident,
} from './domain.ts';
import type { ExchangeStatus, Status } from './service.ts';
import { STATUS_STYLE } from './style.ts';
import { STATUS_WORDS, type StatusWords } from './words.ts';

const STYLE_PATH = '/status.css';

/** URL paths of the status page, of its JSON form and of its style sheet. */
export const STATUS_PATHS: readonly string[] = ['/status', '/status.json', STYLE_PATH];

/** The status page in four languages (`?lang=ja-JP`), its contents as JSON, and its style sheet. */
export function statusPages(status: Pick<Status, 'status'>): Page[] {
  return [
    {
      path: '/status',
      demoOnly: false,
      serve: async (query) => {
        const locale = localeOf(query.get('lang') ?? undefined);
        return { type: 'html', body: statusPage(await status.status(), locale) };
      },
    },
    {
      path: '/status.json',
      demoOnly: false,
      serve: async () => ({ type: 'json', body: JSON.stringify(presentStatus(await status.status())) }),
    },
    {
      path: STYLE_PATH,
      demoOnly: false,
      serve: () => ({ type: 'css', body: STATUS_STYLE }),
    },
  ];
}

/**
 * Returns the exchange's status for programs: times in milliseconds since 1970, and a list of the numbers of
 * orders per latency bucket, each with the upper bound of the bucket in milliseconds (null for the last
 * bucket).
 */
function presentStatus({ at, latencies, days, incidents, ...rest }: ExchangeStatus) {
  return {
    time: at,
    working: isWorking(rest.networks, {
      incidents,
      haltedCoins: rest.haltedCoins,
      pausedCoins: rest.pausedCoins,
      pairs: rest.pairs,
    }),
    orderLatency: latencies.map((count, place) => ({ upToMs: LATENCY_BOUNDS_MS[place] ?? null, count })),
    uptime: days.map(({ day, uptime }) => ({ day: dayText(day), uptime: uptime ?? null })),
    incidents: incidents.map(({ component, title, startedAt, endedAt, reports }) => ({
      component,
      title,
      startTime: startedAt,
      endTime: endedAt ?? null,
      reports: reports.map(({ at: reportedAt, stage, content }) => ({ time: reportedAt, stage, content })),
    })),
    haltedCoins: rest.haltedCoins.map(({ coin }) => coin),
    pausedCoins: rest.pausedCoins,
    halts: rest.haltedCoins.map(({ coin, pause }) => ({ coin, ...presentNotice(pause) })),
    pairs: rest.pairs.map(({ symbol, status, pause }) => ({ symbol, status, ...presentNotice(pause) })),
    withdrawals: rest.withdrawals,
    networks: rest.networks.map(({ code, name, isDelayed, deposits, withdrawals }) => ({
      network: code,
      name,
      delayed: isDelayed,
      deposits: presentDirection(deposits),
      withdrawals: presentDirection(withdrawals),
    })),
  };
}

function presentNotice({ cause, newsTime, note }: PublicPause) {
  return { cause, newsTime: newsTime ?? null, note: note ?? null };
}

function presentDirection({ state, pause }: DirectionStatus) {
  if (pause === undefined) return { state };
  const { note, since, expectedAt } = pause;
  return { state, note, since, expectedTime: expectedAt ?? null };
}

function statusPage(status: ExchangeStatus, locale: Locale): string {
  const words = STATUS_WORDS[locale];
  const working = isWorking(status.networks, status);
  const languages = LOCALES.map((other) =>
    other === locale
      ? `<span aria-current="true">${STATUS_WORDS[other].language}</span>`
      : `<a href="/status?lang=${other}" hreflang="${other}" lang="${other}">${STATUS_WORDS[other].language}</a>`,
  );
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} – Amethyst</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><a class="brand" href="/">Amethyst</a><nav>${languages.join('')}</nav></header>
<main>
<h1>${words.title}</h1>
<p class="summary ${working ? 'good' : 'bad'}">${working ? words.allWell : words.troubled}</p>
<p class="note">${fill(words.updated, { time: timeText(status.at) }, locale)}</p>
${incidentSection(status.incidents, words, locale)}
${haltSection(status, words, locale)}
${networkSection(status, words, locale)}
${latencySection(status.latencies, words, locale)}
${uptimeSection(status.days, words)}
${withdrawalSection(status.withdrawals, words, locale)}
<p><a href="/">${words.home}</a></p>
</main>
</body>
</html>
`;
}

function incidentSection(incidents: readonly Incident[], words: StatusWords, locale: Locale): string {
  const items = incidents.map(({ title, component, startedAt, endedAt, reports }) => {
    const end = endedAt === undefined ? '' : ` · ${fill(words.ended, { time: timeText(endedAt) }, locale)}`;
    const lines = reports
      .toReversed()
      .map(
        ({ at, stage, content }) =>
          `<li><b class="${stage === 'resolved' ? 'good' : 'bad'}">${words.stages[stage]}</b> <time>${timeText(at)}</time><p>${escaped(textIn(content, locale))}</p></li>`,
      );
    return `<article><h3>${escaped(textIn(title, locale))}</h3>
<p class="note">${words.components[component]} · ${fill(words.started, { time: timeText(startedAt) }, locale)}${end}</p>
<ul>${lines.join('')}</ul></article>`;
  });
  const content = items.length === 0 ? `<p>${words.noIncidents}</p>` : items.join('\n');
  return `<section><h2>${words.incidents}</h2>${content}</section>`;
}

function haltSection(
  { haltedCoins, pausedCoins, pairs }: ExchangeStatus,
  words: StatusWords,
  locale: Locale,
): string {
  const rows = [
    ...haltedCoins.map(
      ({ coin, pause }) =>
        `<li><b>${escaped(coin)}</b> ${words.haltedCoin}${noticeText(pause, words, locale)}</li>`,
    ),
    ...pausedCoins.map((coin) => `<li><b>${escaped(coin)}</b> ${words.pausedCoin}</li>`),
    ...pairs.map(
      ({ symbol, status, pause }) =>
        `<li><b>${escaped(symbol)}</b> ${status === 'cancelOnly' ? words.cancelOnly : words.closed}${noticeText(pause, words, locale)}</li>`,
    ),
  ];
  const content = rows.length === 0 ? `<p>${words.noHalts}</p>` : `<ul>${rows.join('')}</ul>`;
  return `<section><h2>${words.halts}</h2>${content}</section>`;
}

/**
 * Returns the published parts of a notice about a pause as HTML paragraphs: its reason, the operators' note,
 * and the time of the next news. Missing parts are left out.
 */
function noticeText({ cause, newsTime, note }: PublicPause, words: StatusWords, locale: Locale): string {
  const lines = [
    cause === 'other' ? [] : fill(words.cause, { cause: PAUSE_CAUSE_WORDS[locale][cause] }, locale),
    note === undefined ? [] : escaped(textIn(note, locale)),
    newsTime === undefined ? [] : fill(words.newsBy, { time: timeText(newsTime) }, locale),
  ].flat();
  return lines.map((line) => `<p class="note">${line}</p>`).join('');
}

function networkSection({ networks }: ExchangeStatus, words: StatusWords, locale: Locale): string {
  const rows = networks.flatMap(({ name, isDelayed, deposits, withdrawals }) => [
    `<tr><th scope="row">${escaped(name)}${isDelayed ? `<p class="note">${words.networkDelayed}</p>` : ''}</th><td>${directionText(deposits, words)}</td><td>${directionText(withdrawals, words)}</td></tr>`,
    ...noticeRow(words.deposits, deposits, words, locale),
    ...noticeRow(words.withdrawalsOf, withdrawals, words, locale),
  ]);
  if (rows.length === 0) return '';
  return `<section><h2>${words.networks}</h2><table><thead><tr><th scope="col">${words.network}</th><th scope="col">${words.deposits}</th><th scope="col">${words.withdrawalsOf}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></section>`;
}

function directionText({ state, pause }: DirectionStatus, words: StatusWords): string {
  if (pause !== undefined) return `<b class="bad">${words.networkPaused}</b>`;
  return state === 'open' ? `<b class="good">${words.networkOpen}</b>` : words.networkNone;
}

/**
 * Returns the HTML of the table row below a network with the notice about the pause of one direction, in an
 * array; an empty array while the direction is not paused.
 */
function noticeRow(
  direction: string,
  { pause }: DirectionStatus,
  words: StatusWords,
  locale: Locale,
): string[] {
  if (pause === undefined) return [];
  const { note, since, expectedAt } = pause;
  const times = [
    fill(words.started, { time: timeText(since) }, locale),
    ...(expectedAt === undefined ? [] : [fill(words.expected, { time: timeText(expectedAt) }, locale)]),
  ];
  return [
    `<tr class="notice"><td colspan="3"><p><b>${direction}</b> · ${escaped(textIn(note, locale))}</p><p class="note">${times.join(' · ')}</p></td></tr>`,
  ];
}

function latencySection(counts: readonly number[], words: StatusWords, locale: Locale): string {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const head = `<h2>${words.latency}</h2><p class="note">${words.latencyText}</p>`;
  if (all === 0) return `<section>${head}<p>${words.noOrders}</p></section>`;
  const shares = [
    [0.5, words.median],
    [0.95, words.within95],
    [0.99, words.within99],
  ] as const;
  const facts = shares.flatMap(([share, sentence]) => {
    const bound = latencyWithin(counts, share);
    return bound === undefined ? [] : [`<li>${fill(sentence, { bound: grouped(bound) }, locale)}</li>`];
  });
  const greatest = Math.max(...counts);
  const rows = counts.map((count, place) => {
    const bound = LATENCY_BOUNDS_MS[place];
    const name =
      bound === undefined
        ? fill(words.above, { bound: grouped(LATENCY_BOUNDS_MS.at(-1)!) }, locale)
        : fill(words.upTo, { bound: grouped(bound) }, locale);
    return `<tr><th scope="row">${name}</th><td class="bar">${bar(count / greatest)}</td><td>${grouped(count)}</td></tr>`;
  });
  return `<section>${head}<ul class="facts">${facts.join('')}</ul>
<table><thead><tr><th scope="col">${words.duration}</th><td></td><th scope="col">${words.orders}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></section>`;
}

function uptimeSection(days: ExchangeStatus['days'], words: StatusWords): string {
  const width = 10;
  const bars = days.map(({ day, uptime }, place) => {
    const look = uptime === undefined ? 'none' : uptime >= 0.999 ? 'good' : uptime >= 0.99 ? 'fair' : 'bad';
    const title = `${dayText(day)}: ${uptime === undefined ? words.notCounted : percentText(uptime)}`;
    return `<rect class="${look}" x="${place * width}" y="0" width="${width - 2}" height="40"><title>${title}</title></rect>`;
  });
  const counted = days.filter(({ uptime }) => uptime !== undefined).toReversed();
  const rows = counted.map(
    ({ day, uptime }) => `<tr><th scope="row">${dayText(day)}</th><td>${percentText(uptime!)}</td></tr>`,
  );
  return `<section><h2>${words.uptime}</h2><p class="note">${words.uptimeText}</p>
<svg class="days" viewBox="0 0 ${days.length * width} 40" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg>
<div class="scroll" tabindex="0" role="region" aria-label="${words.uptime}"><table><thead><tr><th scope="col">${words.day}</th><th scope="col">${words.share}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></section>`;
}

function withdrawalSection(
  networks: ExchangeStatus['withdrawals'],
  words: StatusWords,
  locale: Locale,
): string {
  const head = `<h2>${words.withdrawals}</h2><p class="note">${words.withdrawalsText}</p>`;
  if (networks.length === 0) return `<section>${head}<p>${words.noWithdrawals}</p></section>`;
  const rows = networks.map(
    ({ network, finished, medianSeconds, p95Seconds }) =>
      `<tr><th scope="row">${escaped(network)}</th><td>${grouped(finished)}</td><td>${durationText(medianSeconds, words, locale)}</td><td>${durationText(p95Seconds, words, locale)}</td></tr>`,
  );
  return `<section>${head}<table><thead><tr><th scope="col">${words.network}</th><th scope="col">${words.count}</th><th scope="col">50%</th><th scope="col">95%</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></section>`;
}

/** HTML of a bar whose length is `share` (0 to 1) of its cell. */
function bar(share: number): string {
  const width = share === 0 ? 0 : Math.max(0.5, share * 100);
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="0" width="${width.toFixed(1)}" height="10"/></svg>`;
}

function fill(sentence: string, parameters: Readonly<Record<string, string>>, locale: Locale): string {
  return fillWords(sentence, parameters, locale);
}

/**
 * A duration as text: below two minutes in seconds, below two hours in minutes, otherwise in hours; minutes
 * and hours are rounded up.
 */
function durationText(seconds: number, words: StatusWords, locale: Locale): string {
  if (seconds < 120) return fill(words.seconds, { count: String(seconds) }, locale);
  if (seconds < 7_200) return fill(words.minutes, { count: String(Math.ceil(seconds / 60)) }, locale);
  return fill(words.hours, { count: String(Math.ceil(seconds / 3_600)) }, locale);
}

/** A share as a percentage, rounded down, so that only a day without any outage is shown as 100%. */
function percentText(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
