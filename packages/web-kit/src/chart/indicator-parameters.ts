import { isRecord, jsonIn, recall, remember } from '../storage.ts';

/** All of them are the chart library's own; the ones asked for most come first. */
export const INDICATORS = [
  'MA',
  'EMA',
  'BOLL',
  'SAR',
  'SMA',
  'BBI',
  'AVP',
  'VOL',
  'MACD',
  'KDJ',
  'RSI',
  'WR',
  'CCI',
  'DMI',
  'OBV',
  'TRIX',
  'ROC',
  'MTM',
  'PSY',
  'BIAS',
  'BRAR',
  'CR',
  'DMA',
  'EMV',
  'PVT',
  'VR',
  'AO',
] as const;
export type IndicatorName = (typeof INDICATORS)[number];

/**
 * What a parameter is: a number of candles, one that averages an indicator's own past values and so needs two at least, a factor, a share in percent, or a
 * weight in candles.
 */
export type ParameterKind = 'period' | 'lookback' | 'multiplier' | 'percent' | 'weight';

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Decimals that a value may have. */
  readonly digits: number;
}

/** A chart loads 600 candles first: a longer period would draw nothing on most screens. */
export const PARAMETER_BOUNDS: Readonly<Record<ParameterKind, Bounds>> = {
  period: { least: 1, most: 500, digits: 0 },
  lookback: { least: 2, most: 500, digits: 0 },
  multiplier: { least: 0.1, most: 10, digits: 1 },
  percent: { least: 1, most: 100, digits: 0 },
  weight: { least: 1, most: 500, digits: 0 },
};

interface Described {
  /** What the indicator is computed with unless somebody chose otherwise. */
  readonly usual: readonly number[];
  /** What its parameters are; a list that is shorter than `usual` goes on with periods. */
  readonly kinds?: readonly ParameterKind[];
}

/** The indicators that have parameters, in the order in which the chart library takes them. */
const DESCRIBED: ReadonlyMap<IndicatorName, Described> = new Map<IndicatorName, Described>([
  // Two or three lines say enough; the library's own choice draws four.
  ['MA', { usual: [7, 25, 99] }],
  ['EMA', { usual: [7, 25, 99] }],
  ['BOLL', { usual: [20, 2], kinds: ['period', 'multiplier'] }],
  ['SAR', { usual: [2, 2, 20], kinds: ['percent', 'percent', 'percent'] }],
  ['SMA', { usual: [12, 2], kinds: ['period', 'weight'] }],
  ['BBI', { usual: [3, 6, 12, 24] }],
  ['VOL', { usual: [5, 10] }],
  ['MACD', { usual: [12, 26, 9] }],
  ['KDJ', { usual: [9, 3, 3] }],
  ['RSI', { usual: [6, 12, 24] }],
  ['WR', { usual: [6, 10, 14] }],
  ['CCI', { usual: [20] }],
  ['DMI', { usual: [14, 6], kinds: ['period', 'lookback'] }],
  ['OBV', { usual: [30], kinds: ['lookback'] }],
  ['TRIX', { usual: [12, 9], kinds: ['period', 'lookback'] }],
  ['ROC', { usual: [12, 6], kinds: ['period', 'lookback'] }],
  ['MTM', { usual: [12, 6], kinds: ['period', 'lookback'] }],
  ['PSY', { usual: [12, 6], kinds: ['period', 'lookback'] }],
  ['BIAS', { usual: [6, 12, 24] }],
  ['BRAR', { usual: [26] }],
  [
    'CR',
    {
      usual: [26, 10, 20, 40, 60],
      kinds: ['period', 'lookback', 'lookback', 'lookback', 'lookback'],
    },
  ],
  ['DMA', { usual: [10, 50, 10], kinds: ['period', 'period', 'lookback'] }],
  ['EMV', { usual: [14, 9] }],
  ['VR', { usual: [26, 6], kinds: ['period', 'lookback'] }],
  ['AO', { usual: [5, 34] }],
]);

/** The parameters that were chosen, by indicator; those that are as usual are not in it. */
export type ChosenParameters = ReadonlyMap<IndicatorName, readonly number[]>;

/** What an indicator is computed with; empty where it has no parameters. */
export function parametersOf(name: IndicatorName, chosen: ChosenParameters): readonly number[] {
  return chosen.get(name) ?? DESCRIBED.get(name)?.usual ?? [];
}

/** What the parameter at a place is. */
export function parameterKind(name: IndicatorName, place: number): ParameterKind {
  return DESCRIBED.get(name)?.kinds?.[place] ?? 'period';
}

/** A typed parameter as a number, digits of full width included; undefined where it is none or out of its bounds. */
export function parameterIn(text: string, kind: ParameterKind): number | undefined {
  const { least, most, digits } = PARAMETER_BOUNDS[kind];
  const plain = text.normalize('NFKC').trim();
  const form = digits === 0 ? /^\d{1,3}$/ : /^\d{1,2}(?:\.\d)?$/;
  const value = Number(plain);
  return form.test(plain) && value >= least && value <= most ? value : undefined;
}

/** The choice after one parameter became another; what is as usual again leaves it. */
export function withParameter(
  chosen: ChosenParameters,
  name: IndicatorName,
  { place, value }: { readonly place: number; readonly value: number },
): ChosenParameters {
  const values = parametersOf(name, chosen).map((before, at) => (at === place ? value : before));
  const isUsual = values.every((one, at) => one === DESCRIBED.get(name)?.usual[at]);
  return isUsual ? withoutParameters(chosen, name) : new Map(chosen).set(name, values);
}

/** The choice with an indicator as usual again. */
export function withoutParameters(chosen: ChosenParameters, name: IndicatorName): ChosenParameters {
  return new Map([...chosen].filter(([other]) => other !== name));
}

const REMEMBERED_AS = 'chart-indicator-parameters';

/** What this device last chose; what is not sound is as usual. */
export function rememberedParameters(): ChosenParameters {
  const stored = jsonIn(recall(REMEMBERED_AS));
  if (!isRecord(stored)) return new Map();
  return new Map(
    [...DESCRIBED.keys()].flatMap((name) => {
      const values = soundValues(name, stored[name]);
      return values === undefined ? [] : [[name, values] as const];
    }),
  );
}

function soundValues(name: IndicatorName, stored: unknown): readonly number[] | undefined {
  const usual = DESCRIBED.get(name)?.usual;
  if (usual === undefined || !Array.isArray(stored) || stored.length !== usual.length) return undefined;
  const values = stored.map((value, place) => parameterIn(String(value), parameterKind(name, place)));
  return values.includes(undefined) ? undefined : values.filter((value) => value !== undefined);
}

/** Stores the choice on this device; nothing is stored where all is as usual. */
export function rememberParameters(chosen: ChosenParameters): void {
  remember(REMEMBERED_AS, chosen.size === 0 ? null : JSON.stringify(Object.fromEntries(chosen)));
}
