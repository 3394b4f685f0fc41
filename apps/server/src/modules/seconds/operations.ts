import { Decimal } from '@exchange/core/decimal.ts';
import { symbolOfName } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/seconds.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
} from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { fundingOperation, type FundingParts } from '../ledger/index.ts';
import { noticeOf, previewOfNotice, type TradingPauses } from '../trading-pauses/index.ts';
import type { SecondsTerms } from './domain.ts';
import { termsEvidence, termsNeighbours, termsWarnings, voidEvidence } from './evidence.ts';
import { presentProposedTerms } from './present.ts';
import type { Proofs } from './proofs.ts';
import { SECONDS_SUBJECT, type Seconds } from './service.ts';

const LIST_SIZE = 100;

/**
 * Console operations on the seconds contract. They list terms, durations, the reserve and void intervals,
 * publish the terms of new positions, stop new positions, fund the reserve, and declare an interval void. No
 * operation contains a price, an outcome or a user.
 */
export function secondsOperations(
  seconds: Seconds,
  proofs: Proofs,
  parts: FundingParts,
  pauses: TradingPauses,
): Operation[] {
  return [...readOperations(seconds, proofs), ...writeOperations(seconds, parts, pauses)];
}

function readOperations(seconds: Seconds, proofs: Proofs): Operation[] {
  return [
    serveList(described.terms, async () => {
      const terms = await seconds.terms();
      if (terms === undefined) return { list: [] };
      const notice = terms.isOpen ? undefined : seconds.notice;
      const row = {
        ...terms,
        ...textFieldsOf(terms),
        publicCause: notice?.cause,
        newsAt: notice?.newsAt,
        note: notice?.note,
      };
      return { list: [row] };
    }),
    serveVersions(described.termsVersions, {
      read: (_, range) => seconds.termsHistory(range),
      shown: (terms) => ({ ...terms, ...textFieldsOf(terms as unknown as ListsOfTerms) }),
    }),
    serveList(described.durations, async () => {
      const [terms, { figures }] = await Promise.all([seconds.terms(), seconds.statistics()]);
      const count = (second: number, result: string) =>
        figures.reduce(
          (total, figure) =>
            total + (figure.seconds === second && figure.result === result ? figure.count : 0),
          0,
        );
      const durations = (terms?.durations ?? []).map(({ second, rate, minimum }) => ({
        second,
        rate,
        minimum,
        feeRate: terms!.feeRate,
        maxStake: terms!.maxStake,
        wins: count(second, 'win'),
        losses: count(second, 'lose'),
        draws: count(second, 'draw'),
        voids: count(second, 'void'),
        isOpen: terms!.isOpen,
        version: terms!.version,
      }));
      return { list: durations };
    }),
    serveList(described.reserve, async () => ({ list: (await seconds.statistics()).reserve })),
    serveList(described.voids, async () => {
      const { list, total } = await proofs.voids({ pageNo: 1, pageSize: LIST_SIZE });
      return {
        list,
        total,
        hasMore: total > list.length,
      };
    }),
  ];
}

function writeOperations(seconds: Seconds, parts: FundingParts, pauses: TradingPauses): Operation[] {
  return [
    serveAction(described.setTerms, {
      check: (call) => seconds.requirePublishable(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(seconds, termsOf(call)) },
      warnings: (call) => termsWarnings(seconds, termsOf(call)),
      neighbours: (call) => termsNeighbours(seconds, termsOf(call)),
      preview: (call) => {
        const terms = termsOf(call);
        seconds.requirePublishable(terms);
        const shown = presentProposedTerms(terms);
        return Promise.resolve(previewIn('seconds', {}, () => shown));
      },
      versionOf: async () => (await seconds.terms())?.version ?? 0,
      run: async (call) => {
        const terms = termsOf(call);
        seconds.requirePublishable(terms);
        return pauses.decide('seconds', SECONDS_SUBJECT, async () => {
          if (terms.isOpen) await pauses.end('seconds', SECONDS_SUBJECT, whyOf(call));
          return seconds.publish(terms, whyOf(call));
        });
      },
    }),
    serveAction(described.stopPositions, {
      check: (call) => pauses.requirePublishable(noticeOf(call)),
      preview: (call) => Promise.resolve(previewOfNotice(noticeOf(call), { isSeconds: true })),
      run: async (call) => {
        const notice = noticeOf(call);
        pauses.requirePublishable(notice);
        return pauses.decide('seconds', SECONDS_SUBJECT, async () => {
          const terms = await seconds.terms();
          if (terms === undefined) throw new Refused(refusal('generic', 'l.not_found'));
          const { version: _, at: __, ...present } = terms;
          const published = await seconds.publish({ ...present, isOpen: false }, whyOf(call));
          await pauses.publish('seconds', SECONDS_SUBJECT, notice, whyOf(call));
          return published;
        });
      },
    }),
    fundingOperation(parts, described.fundReserve, {
      accountOf: () => 'payout',
      fund: ({ asset, wanted }) => seconds.fund(asset, wanted, 'fees'),
    }),
    serveAction(described.declareVoid, {
      secondPerson: {
        evidence: (call) => {
          const values = new FieldValues(call.fields);
          const period = { from: values.time('from'), to: values.time('to') };
          return voidEvidence(seconds, symbolOfName(call.parameters['symbol'] ?? ''), period);
        },
      },
      run: (call) => {
        const values = new FieldValues(call.fields);
        const period = { from: values.time('from'), to: values.time('to') };
        return seconds.declareVoid(symbolOfName(call.parameters['symbol'] ?? ''), period, whyOf(call));
      },
    }),
  ];
}

/** The lists in the contract's terms; rates and minimum stakes are decimals or, in the stored form, text. */
interface ListsOfTerms extends Pick<SecondsTerms, 'symbols' | 'blockedCountries' | 'openCountries'> {
  readonly durations: readonly {
    readonly second: number;
    readonly rate: { toString(): string };
    readonly minimum: { toString(): string };
  }[];
}

/** Converts lists of the contract's terms to the text form of the operation's fields. */
function textFieldsOf({ durations, symbols, blockedCountries, openCountries }: ListsOfTerms) {
  const texts = durations.map(
    ({ second, rate, minimum }) => `${second}:${rate.toString()}:${minimum.toString()}`,
  );
  return {
    durations: texts.join(' '),
    symbols: symbols.join(' '),
    blockedCountries: blockedCountries.join(' '),
    openCountries: openCountries.join(' '),
  };
}

/**
 * Placeholder for a part of a duration's text that an operator left out; reading a value from it throws the
 * refusal that the field is missing.
 */
const MISSING = new FieldValues<'durations'>({});

function termsOf({ fields }: CallOf<typeof described.setTerms>): SecondsTerms {
  const values = new FieldValues(fields);
  const durations = wordsOf(values.text('durations')).map((text) => {
    const parts = text.split(':').map((part) => new FieldValues({ durations: part }));
    const [second = MISSING, rate = MISSING, minimum = MISSING] = parts;
    return {
      second: second.whole('durations'),
      rate: rate.decimal('durations'),
      minimum: minimum.decimal('durations'),
    };
  });
  const feeRate = Decimal.tryParse(values.text('feeRate'));
  if (feeRate === undefined)
    throw new Refused(
      refusal('invalidField', 'l.field_number', { field: 'feeRate', value: fields.feeRate! }),
    );
  return {
    isOpen: fields.open === '1',
    durations,
    feeRate,
    symbols: wordsOf(values.text('symbols')).map(symbolOfName),
    maxStake: values.decimal('maxStake'),
    blockedCountries: wordsOf((fields.blockedCountries ?? '').toUpperCase()),
    openCountries: wordsOf((fields.openCountries ?? '').toUpperCase()),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
