import { EarnContext } from '@exchange/web-kit/finance/earn.ts';
import { MINING_KIND } from '@exchange/web-kit/finance/mining-kind.ts';
import FinanceRecordScreen from '../finance/record-screen.tsx';

/** The own mining orders, on the screen that fixed-term products have, too. */
export default function MiningRecordScreen() {
  return (
    <EarnContext value={MINING_KIND}>
      <FinanceRecordScreen />
    </EarnContext>
  );
}
