import { EarnContext } from '@exchange/web-kit/finance/earn.ts';
import { MINING_KIND } from '@exchange/web-kit/finance/mining-kind.ts';
import FinanceRecordScreen from '../finance/record-screen.tsx';

/** The user's mining orders, on the screen shared with fixed-term products. */
export default function MiningRecordScreen() {
  return (
    <EarnContext value={MINING_KIND}>
      <FinanceRecordScreen />
    </EarnContext>
  );
}
