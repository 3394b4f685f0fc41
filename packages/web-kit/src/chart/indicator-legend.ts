import type {
  IndicatorCreateTooltipDataSourceParams,
  IndicatorTooltipData,
  TooltipLegend,
} from 'klinecharts';
import { formatCompact, formatDecimal } from '../format/format.ts';

/** An amount on an axis or in a legend of the chart, in short; below one, with what there is of it. */
export function chartAmount(value: string | number, locale: string): string {
  const text = String(value);
  return Math.abs(Number(value)) < 1
    ? formatDecimal(text, locale, { minDigits: 2 })
    : formatCompact(text, locale, { ticks: true });
}

type Place = Pick<IndicatorCreateTooltipDataSourceParams<unknown>, 'chart' | 'indicator' | 'crosshair'>;

/** The legend of an indicator with bars: lines in their colours, bars in the colour of text. */
export function legendOf({ chart, indicator, crosshair }: Place, volume: string): IndicatorTooltipData {
  const { lines } = chart.getStyles().indicator;
  const { defaultValue, color: plain } = chart.getStyles().indicator.tooltip.legend;
  const values = (indicator.result[crosshair.dataIndex ?? -1] ?? {}) as Readonly<Record<string, unknown>>;
  let lineCount = 0;
  const legends: TooltipLegend[] = [];
  for (const { key, type, title } of indicator.figures) {
    const color = type === 'line' ? (lines[lineCount++ % lines.length]?.color ?? plain) : plain;
    if (title === undefined) continue;
    const value = values[key];
    const precise = typeof value === 'number' ? value.toFixed(indicator.precision) : defaultValue;
    const isShort = typeof value === 'number' && indicator.shouldFormatBigNumber;
    legends.push({
      title: { text: key === 'volume' ? `${volume}: ` : title, color },
      value: { text: isShort ? chart.getFormatter().formatBigNumber(precise) : precise, color },
    });
  }
  return {
    name: indicator.shortName,
    calcParamsText: `(${indicator.calcParams.join(',')})`,
    legends,
    features: [],
  };
}
