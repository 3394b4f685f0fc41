import { formatDecimal } from '@exchange/web-kit/format/format.ts';
import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { deskPath, tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { parseOrderCommand, type OrderCommand } from '@exchange/web-kit/spot/order-command.ts';
import { prepareOrder } from '@exchange/web-kit/spot/prepared-order.ts';
import { PickerList, type PickerChoice } from '@exchange/web-kit/ui/picker-list.tsx';
import { namedScreens } from '@exchange/web-kit/shell/named-screens.ts';
import { ArrowRight, FileText } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { resolveRedirect } from '../paths.ts';
import classes from './palette.module.css';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Prefix of the keys of palette options that fill the order ticket. */
const ORDER = 'order';

/**
 * The command palette: it opens a screen, or the trading screen of a pair, by its name, and fills the order ticket from
 * a typed line such as `buy 0.1 btc 60000`. On the desk it shows the pair there, because leaving the desk would close
 * its windows. It never places an order.
 */
export default function Palette({ isOpen, onClose }: PaletteProps) {
  const t = useWords('palette');
  const tShell = useWords('shell');
  const locale = useLocale();
  const navigate = useNavigate();
  const isOnDesk = useLocation().pathname === paths.desk;
  const pairs = usePairs().data ?? [];
  const orderText = useOrderText();
  const choices: readonly PickerChoice[] = [
    ...pairs.map(({ symbol, base, quote }) => ({
      key: `pair ${symbol}`,
      text: `${base}/${quote} ${base}${quote} ${t('trade')}`,
      row: (
        <span className={classes.row}>
          <CoinIcon coin={base} size={18} /> {base}/{quote} <small>{t('trade')}</small>
        </span>
      ),
    })),
    ...namedScreens(locale, (path) => resolveRedirect(path) === path).map(({ path, name }) => ({
      key: `path ${path}`,
      text: name,
      row: (
        <span className={classes.row}>
          <FileText size={18} aria-hidden="true" /> {name}
        </span>
      ),
    })),
  ];
  const choicesFor = (text: string): readonly PickerChoice[] => {
    const order = parseOrderCommand(text, pairs);
    if (order === undefined) return [];
    const row = (
      <span className={classes.order}>
        <ArrowRight size={18} aria-hidden="true" /> <b>{orderText(order)}</b> <small>{t('orderHint')}</small>
      </span>
    );
    // The key of the option contains the typed order, so that the function that handles the choice needs no other
    // argument.
    return [{ key: `${ORDER} ${text}`, text, row }];
  };
  const choose = (key: string): void => {
    onClose();
    const place = key.indexOf(' ');
    const [kind, rest] = [key.slice(0, place), key.slice(place + 1)];
    if (kind === 'path') void navigate(rest);
    const order = kind === ORDER ? parseOrderCommand(rest, pairs) : undefined;
    if (order !== undefined) prepareOrder(order);
    const pair = order?.pair ?? pairs.find(({ symbol }) => kind === 'pair' && symbol === rest);
    if (pair !== undefined) void navigate(isOnDesk ? deskPath(pair) : tradePath(pair));
  };
  return (
    <LazyDialog isOpen={isOpen} onClose={onClose} title={t('title')} closeLabel={tShell('close')} width={560}>
      <PickerList
        label={t('title')}
        choices={choices}
        choicesFor={choicesFor}
        value={undefined}
        onPick={choose}
        searchLabel={t('search')}
        emptyText={t('nothing')}
        hasFocus
      />
      <p className={classes.hint}>{t('hint')}</p>
    </LazyDialog>
  );
}

/** Hook that returns a function that formats an order as a sentence, e.g. `Buy 0.1 BTC at 60,000 USDT`. */
function useOrderText(): (order: OrderCommand) => string {
  const t = useWords('palette');
  const locale = useLocale();
  return ({ pair, side, kind, by, size, price }) => {
    const what = withUnit(formatDecimal(size, locale), by === 'total' ? pair.quote : pair.base);
    const names = { what, pair: `${pair.base}/${pair.quote}` };
    return kind === 'market' || price === undefined
      ? t(side === 'buy' ? 'buyMarket' : 'sellMarket', names)
      : t(side === 'buy' ? 'buyLimit' : 'sellLimit', {
          ...names,
          price: withUnit(formatDecimal(price, locale), pair.quote),
        });
  };
}
