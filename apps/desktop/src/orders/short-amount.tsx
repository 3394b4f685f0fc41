import { formatDecimal } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale } from '@exchange/web-kit/i18n/words.ts';
import { shortDigits } from './short-digits.ts';

interface ShortAmountProps {
  readonly value: string | undefined;
  readonly coin: string;
}

/** An amount for a narrow place, without the decimals that would only crowd it; hovering tells all of them. */
export function ShortAmount({ value, coin }: ShortAmountProps) {
  const locale = useLocale();
  if (value === undefined || value === '') return <Amount value={undefined} coin={coin} />;
  return (
    <span title={`${formatDecimal(value, locale)} ${coin}`}>
      <Amount value={value} digits={shortDigits(value)} coin={coin} />
    </span>
  );
}
