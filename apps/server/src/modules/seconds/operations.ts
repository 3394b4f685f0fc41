import { Decimal } from '@exchange/core/decimal.ts';
import { symbolOfName } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  boundedAnswer,
  ROLES,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { versionsOperation } from '../../platform/console/versions.ts';
import { fundingOperation, type Ledger } from '../ledger/index.ts';
import type { SecondsTerms } from './domain.ts';
import { termsEvidence, termsWarnings, voidEvidence } from './evidence.ts';
import type { Proofs } from './proofs.ts';
import type { Seconds } from './service.ts';

const TERMS = '/ops/seconds/terms';
const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  open: { label: 'Open for new positions', kind: 'switch', isOptional: true },
  symbols: { label: 'Pairs, parted by spaces', kind: 'text' },
  durations: { label: 'Durations: seconds:rate:minimum, parted by spaces', kind: 'durations' },
  feeRate: { label: 'Fee rate', kind: 'percent' },
  maxStake: { label: 'Maximum of one position', kind: 'decimal' },
  blockedCountries: { label: 'Closed in these countries', kind: 'text', isOptional: true },
  openCountries: { label: 'Live mode: open in these countries alone', kind: 'text', isOptional: true },
};
const LIST_SIZE = 100;

/**
 * The operations: publish the terms of new positions, stop them, fund the reserve, and declare an interval
 * void. None contains a price, an outcome or a user.
 */
export function secondsOperations(
  seconds: Seconds,
  proofs: Proofs,
  ledger: Pick<Ledger, 'balance'>,
): Operation[] {
  return [...readOperations(seconds, proofs), ...writeOperations(seconds, ledger)];
}

function readOperations(seconds: Seconds, proofs: Proofs): Operation[] {
  return [
    {
      method: 'GET',
      path: TERMS,
      summary: 'The terms of new positions, as they are published.',
      roles: ROLES,
      run: async () => {
        const terms = await seconds.terms();
        if (terms === undefined) return { terms: [] };
        return { terms: [{ ...terms, ...textFieldsOf(terms) }] };
      },
    },
    versionsOperation(
      { path: TERMS, fields: TERMS_FIELDS },
      {
        summary: 'The published versions of the terms, newest first.',
        read: (_, which) => seconds.termsHistory(which),
        shown: (terms) => ({ ...terms, ...textFieldsOf(terms as unknown as ListsOfTerms) }),
      },
    ),
    {
      method: 'GET',
      path: '/ops/seconds/durations',
      summary: 'The durations of the seconds contract, and what came of the positions of each.',
      roles: ROLES,
      run: async () => {
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
        return { durations };
      },
    },
    {
      method: 'GET',
      path: '/ops/seconds/reserve',
      summary: 'The reserve that profits are paid from, and what open positions need of it at worst.',
      roles: ROLES,
      run: async () => ({ reserve: (await seconds.statistics()).reserve }),
    },
    {
      method: 'GET',
      path: '/ops/seconds/voids',
      summary: 'Declared intervals with the positions that they gave back.',
      roles: ROLES,
      run: async () => {
        const { list, total } = await proofs.voids({ pageNo: 1, pageSize: LIST_SIZE });
        return boundedAnswer('voids', { list, total, hasMore: total > list.length });
      },
    },
  ];
}

function writeOperations(seconds: Seconds, ledger: Pick<Ledger, 'balance'>): Operation[] {
  return [
    {
      method: 'POST',
      path: TERMS,
      summary: 'Sets the terms of new positions; open positions keep theirs.',
      roles: ['product'],
      fields: TERMS_FIELDS,
      check: (call) => seconds.requirePublishable(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(seconds, termsOf(call)) },
      warnings: (call) => termsWarnings(seconds, termsOf(call)),
      versionOf: async () => (await seconds.terms())?.version ?? 0,
      run: (call) => seconds.publish(termsOf(call), whyOf(call)),
    },
    {
      method: 'POST',
      path: '/ops/seconds/stop',
      summary: 'Stops new positions at once; open ones settle as usual.',
      roles: ['product', 'finance', 'approver'],
      run: async (call) => {
        const terms = await seconds.terms();
        if (terms === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const { version: _, at: __, ...present } = terms;
        return seconds.publish({ ...present, isOpen: false }, whyOf(call));
      },
    },
    fundingOperation(ledger, {
      path: '/ops/seconds/reserve/:asset',
      summary: 'Brings the reserve up to an amount, out of the house’s fees.',
      accountOf: () => 'payout',
      fund: ({ asset, wanted }) => seconds.fund(asset, wanted, 'fees'),
    }),
    {
      method: 'POST',
      path: '/ops/seconds/voids/:symbol',
      summary:
        'Declares an interval of a pair void: open positions that touch it are returned in full, and losses in it are refunded by the house. Its reason and cost are published.',
      roles: ['product'],
      secondPerson: {
        evidence: (call) => {
          const values = new FieldValues(call.fields);
          const period = { from: values.time('from'), to: values.time('to') };
          return voidEvidence(seconds, symbolOfName(call.parameters['symbol'] ?? ''), period);
        },
      },
      fields: { from: { label: 'From', kind: 'time' }, to: { label: 'To', kind: 'time' } },
      run: (call) => {
        const values = new FieldValues(call.fields);
        const period = { from: values.time('from'), to: values.time('to') };
        return seconds.declareVoid(symbolOfName(call.parameters['symbol'] ?? ''), period, whyOf(call));
      },
    },
  ];
}

/** The terms whose stored form is also read, where rates and amounts are text. */
interface ListsOfTerms extends Pick<SecondsTerms, 'symbols' | 'blockedCountries' | 'openCountries'> {
  readonly durations: readonly {
    readonly second: number;
    readonly rate: { toString(): string };
    readonly minimum: { toString(): string };
  }[];
}

/** The list terms in the text form of the operation's fields. */
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

/** Stands for a missing part of a duration's text. */
const MISSING = new FieldValues({});

function termsOf({ fields }: OperatorCall): SecondsTerms {
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
      refusal('invalidField', 'l.field_number', { field: 'feeRate', value: fields['feeRate']! }),
    );
  return {
    isOpen: fields['open'] === '1',
    durations,
    feeRate,
    symbols: wordsOf(values.text('symbols')).map(symbolOfName),
    maxStake: values.decimal('maxStake'),
    blockedCountries: wordsOf((fields['blockedCountries'] ?? '').toUpperCase()),
    openCountries: wordsOf((fields['openCountries'] ?? '').toUpperCase()),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
