import { isRecord, parseJson, readStored, store } from '../storage.ts';

/** Indicators of the chart library that the user can select. */
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
 * Kinds of indicator parameters. `period`: a number of candles. `lookback`: a number of past values of the indicator
 * that are averaged, at least two. `multiplier`: a factor. `percent`: a percentage. `weight`: the weight of a candle.
 */
export type ParameterKind = 'period' | 'lookback' | 'multiplier' | 'percent' | 'weight';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly digits: number;
}

/**
 * Permitted range of each kind of indicator parameter. The chart first loads 600 candles, so a longer period would
 * result in no line on most screens.
 */
export const PARAMETER_BOUNDS: Readonly<Record<ParameterKind, Bounds>> = {
  period: { least: 1, most: 500, digits: 0 },
  lookback: { least: 2, most: 500, digits: 0 },
  multiplier: { least: 0.1, most: 10, digits: 1 },
  percent: { least: 1, most: 100, digits: 0 },
  weight: { least: 1, most: 500, digits: 0 },
};

interface IndicatorDescription {
  /**
   * Default values of the indicator's parameters, in the sequence in which the chart library expects them.
   */
  readonly usual: readonly number[];
  /** Kind of each of the indicator's parameters, by position. A parameter without an entry is a period. */
  readonly kinds?: readonly ParameterKind[];
}

/**
 * By indicator: the default values and the kinds of its parameters, in the sequence in which the chart
 * library expects them. Indicators without parameters are absent.
 */
const DESCRIPTIONS: ReadonlyMap<IndicatorName, IndicatorDescription> = new Map<
  IndicatorName,
  IndicatorDescription
>([
  // By default three moving averages are shown. The chart library's own default has four.
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

/** Parameters that the user has changed, by indicator. An indicator with default parameters has no entry. */
export type ChosenParameters = ReadonlyMap<IndicatorName, readonly number[]>;

/** Returns the current parameters of an indicator; an empty list if it has none. */
export function parametersOf(name: IndicatorName, chosen: ChosenParameters): readonly number[] {
  return chosen.get(name) ?? DESCRIPTIONS.get(name)?.usual ?? [];
}

export function parameterKind(name: IndicatorName, place: number): ParameterKind {
  return DESCRIPTIONS.get(name)?.kinds?.[place] ?? 'period';
}

/**
 * Parses an indicator parameter that the user entered, also with full-width digits. Returns undefined if it is invalid
 * or out of range.
 */
export function parameterIn(text: string, kind: ParameterKind): number | undefined {
  const { least, most, digits } = PARAMETER_BOUNDS[kind];
  const plain = text.normalize('NFKC').trim();
  const pattern = digits === 0 ? /^\d{1,3}$/ : /^\d{1,2}(?:\.\d)?$/;
  const value = Number(plain);
  return pattern.test(plain) && value >= least && value <= most ? value : undefined;
}

/**
 * Returns the changed parameters after a change of one parameter of an indicator. If all of the indicator's
 * parameters have their default values, the result has no entry for the indicator.
 */
export function withParameter(
  chosen: ChosenParameters,
  name: IndicatorName,
  { place, value }: { readonly place: number; readonly value: number },
): ChosenParameters {
  const values = parametersOf(name, chosen).map((current, index) => (index === place ? value : current));
  const isUsual = values.every(
    (currentValue, index) => currentValue === DESCRIPTIONS.get(name)?.usual[index],
  );
  return isUsual ? withoutParameters(chosen, name) : new Map(chosen).set(name, values);
}

/** Returns the changed parameters without those of an indicator, which resets this indicator to its defaults. */
export function withoutParameters(chosen: ChosenParameters, name: IndicatorName): ChosenParameters {
  return new Map([...chosen].filter(([indicator]) => indicator !== name));
}

const REMEMBERED_AS = 'chart-indicator-parameters';

/**
 * Returns the indicator parameters that the user has changed and that are stored on this device. For an invalid entry
 * the defaults are used.
 */
export function rememberedParameters(): ChosenParameters {
  const stored = parseJson(readStored(REMEMBERED_AS));
  if (!isRecord(stored)) return new Map();
  return new Map(
    [...DESCRIPTIONS.keys()].flatMap((name) => {
      const values = validValues(name, stored[name]);
      return values === undefined ? [] : [[name, values] as const];
    }),
  );
}

function validValues(name: IndicatorName, stored: unknown): readonly number[] | undefined {
  const usual = DESCRIPTIONS.get(name)?.usual;
  if (usual === undefined || !Array.isArray(stored) || stored.length !== usual.length) return undefined;
  const values = stored.map((value, place) => parameterIn(String(value), parameterKind(name, place)));
  return values.includes(undefined) ? undefined : values.filter((value) => value !== undefined);
}

/**
 * Stores on this device the indicator parameters that the user has changed. If the user has changed none, the
 * entry is removed.
 */
export function rememberParameters(chosen: ChosenParameters): void {
  store(REMEMBERED_AS, chosen.size === 0 ? null : JSON.stringify(Object.fromEntries(chosen)));
}
