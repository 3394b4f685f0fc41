import { timeText } from '../../platform/time-text.ts';
import type { AddressedMessage } from '../messages/index.ts';
import { averagePrice, feeAsset, type SpotOrder } from './order-domain.ts';

/** What the owner of an ended order with fills is told; told once per order. */
export function fillMessage(order: SpotOrder): AddressedMessage {
  const { id, owner, pair, side, state, filledAmount, filledTotal, fee, updatedAt } = order;
  const isWhole = state === 'filled';
  const kinds =
    side === 'buy'
      ? (['buyFilled', 'buyPartlyFilled'] as const)
      : (['sellFilled', 'sellPartlyFilled'] as const);
  return {
    userId: owner,
    about: id,
    message: {
      type: 'trade',
      kind: kinds[isWhole ? 0 : 1],
      parameters: {
        pair: `${pair.base}/${pair.quote}`,
        coin: pair.base,
        unit: pair.quote,
        amount: filledAmount.toString(),
        price: averagePrice(order)?.toPlaces(pair.priceDigits) ?? '0',
        total: filledTotal.toString(),
        fee: fee.toString(),
        feeCoin: feeAsset(order),
        time: timeText(updatedAt),
        order: id,
      },
    },
  };
}
