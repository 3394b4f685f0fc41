import { instant } from '@exchange/core/time.ts';
import * as proof from '@exchange/wire/proof.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { StreamedJson } from '../../platform/http/exact-json.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import {
  presentAssets,
  presentConfig,
  presentFullConfig,
  presentLimits,
  presentPosition,
  presentTransfer,
  presentSettlement,
  presentStatistics,
  presentTermsVersion,
} from './present.ts';
import type { Proofs } from './proofs.ts';
import type { Seconds } from './service.ts';

export function secondsRoutes(seconds: Seconds): Route[] {
  return [
    route(wire.secondsConfig, async () => presentConfig(await seconds.sharedTerms(), seconds.notice)),
    route(wire.secondsFullConfig, async () => presentFullConfig(await seconds.sharedTerms(), seconds.notice)),
    submissionRoute(wire.openSeconds, {
      operation: 'seconds.open',
      serve: ({ openAmount, baseCoin, quoteCoin, tradeType, ...fields }, { session, submission }) => {
        const direction = tradeType === 'buy' ? 'up' : 'down';
        const ticket = {
          baseCoin,
          quoteCoin,
          direction,
          stake: openAmount,
          seconds: wire.durationSeconds(fields),
          version: fields.version,
        } as const;
        return seconds.open(session.userId, ticket, submission);
      },
    }),
    route(wire.secondsOrders, async ({ entryStatus, baseCoin, quoteCoin, ...page }, { session }) => {
      const coins = { baseCoin, quoteCoin };
      const isNarrowed = baseCoin !== undefined || quoteCoin !== undefined;
      const filter = {
        isOver: entryStatus === undefined ? undefined : entryStatus === '1',
        symbols: isNarrowed ? seconds.symbolsOf(coins) : undefined,
      };
      const positions = await seconds.positions(session.userId, filter, page);
      return pageAnswer(
        mapPage(positions, (shown) => presentPosition(shown, seconds.pairOf(shown.position.symbol))),
        page,
      );
    }),
    route(wire.secondsDetail, async ({ id }, { session }) => {
      const shown = await seconds.position(session.userId, id);
      return presentPosition(shown, seconds.pairOf(shown.position.symbol));
    }),
    route(wire.secondsAssets, async (_, { session }) =>
      presentAssets(await seconds.balances(session.userId)),
    ),
    submissionRoute(wire.secondsTransfer, {
      operation: 'seconds.transfer',
      serve: ({ amount, currency, type }, { session, submission }) =>
        seconds.transfer(session.userId, currency, amount, type === '1', submission),
    }),
    route(wire.secondsMovements, async ({ currency, type, startTime, endTime, ...page }, { session }) => {
      const filter = {
        asset: currency,
        type: type === undefined ? undefined : Number(type),
        from: startTime,
        to: endTime,
      };
      const transfers = await seconds.transfers(session.userId, filter, page);
      return pageAnswer(mapPage(transfers, presentTransfer), page);
    }),
    ...ownLimitRoutes(seconds),
  ];
}

/** The endpoints for the risk text and for a user's own limits. */
function ownLimitRoutes(seconds: Seconds): Route[] {
  return [
    submissionRoute(wire.acceptSecondsRisk, {
      operation: 'seconds.acceptRisk',
      serve: ({ agreementVersion }, { session, submission }) =>
        seconds.acceptRisk(session.userId, agreementVersion, submission),
    }),
    route(wire.secondsLimits, async (_, { session }) => presentLimits(await seconds.limits(session.userId))),
    submissionRoute(wire.setSecondsLimits, {
      operation: 'seconds.setLimits',
      serve: ({ coolUntil, module: _, ...change }, { session, submission }) => {
        const until = coolUntil === undefined ? undefined : instant(coolUntil);
        return seconds.setLimits(session.userId, { ...change, coolUntil: until }, presentLimits, submission);
      },
      restore: async (stored, { session }) => {
        const answer = JSON.parse(stored) as ReturnType<typeof presentLimits> | { done: true };
        // Older versions stored only that a request was executed and not its answer, so the current limits are
        // returned.
        return 'done' in answer ? presentLimits(await seconds.limits(session.userId)) : answer;
      },
    }),
  ];
}

/** The endpoints of public proofs, which can be called without signing in. */
export function proofRoutes(proofs: Proofs, seconds: Seconds): Route[] {
  return [
    route(proof.proofTape, ({ symbol, from, to }) => {
      const lines = proofs.lines(symbol, instant(from), instant(to));
      return new StreamedJson(presentLines(symbol, lines));
    }),
    route(proof.proofFiles, async ({ symbol, ...page }) =>
      pageAnswer(await proofs.hours(symbol, page), page),
    ),
    route(proof.proofFile, ({ symbol, hour }) => ({
      name: `${symbol}-${hour}.jsonl`,
      parts: textOfLines(() => proofs.file(symbol, instant(hour))),
    })),
    route(proof.proofKeys, async () => ({ keys: await proofs.keys() })),
    route(proof.proofCheckpoints, async ({ symbol, from }) => ({
      checkpoints: await proofs.checkpoints(symbol, from),
    })),
    route(proof.proofSettlement, async ({ id }) => {
      const { lines, checkpoint, ...published } = presentSettlement(await proofs.settlement(id));
      const evidence = { lines, ...(checkpoint === undefined ? {} : { checkpoint }) };
      return { ...published, ...evidence, receipt: proofs.receipt('settlement', published) };
    }),
    route(proof.proofVoids, async (page) => {
      const rows = mapPage(await proofs.voids(page), ({ at, houseGain, refunded, ...rest }) => ({
        ...rest,
        houseGain: houseGain.toString(),
        refunded: refunded.toString(),
        createTime: at,
      }));
      return pageAnswer(rows, page);
    }),
    route(proof.proofConfig, async (page) => {
      const signed = mapPage(await proofs.terms(page), (version) => {
        const published = presentTermsVersion(version);
        return { ...published, receipt: proofs.receipt('terms', published) };
      });
      return pageAnswer(signed, page);
    }),
    route(proof.proofStats, async () => presentStatistics(await seconds.statistics())),
  ];
}

/** The data of `/proof/tape` as JSON text, in parts. */
async function* presentLines(
  symbol: string,
  parts: AsyncGenerator<readonly string[], void>,
): AsyncGenerator<string, void> {
  let text = `{"symbol":${JSON.stringify(symbol)},"lines":[`;
  let isFirst = true;
  for await (const lines of parts) {
    for (const line of lines) {
      text += `${isFirst ? '' : ','}${JSON.stringify(line)}`;
      isFirst = false;
    }
    yield text;
    text = '';
  }
  yield `${text}]}`;
}

/** The number of lines per part of a streamed file. */
const LINES_PER_PART = 300;

async function* textOfLines(read: () => Promise<readonly string[]>): AsyncGenerator<string, void> {
  const lines = await read();
  for (let start = 0; start < lines.length; start += LINES_PER_PART)
    yield lines
      .slice(start, start + LINES_PER_PART)
      .map((line) => `${line}\n`)
      .join('');
}
