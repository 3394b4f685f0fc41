import { EarnContext } from '@exchange/web-kit/finance/earn.ts';
import { MINING_KIND } from '@exchange/web-kit/finance/mining-kind.ts';
import FinanceRecordScreen from '../finance/record-screen.tsx';

/** Screen with the user's mining orders; it uses the components of the screen with fixed-term orders. */
export default function MiningRecordScreen() {
  return (
    <EarnContext value={MINING_KIND}>
      <FinanceRecordScreen />
    </EarnContext>
  );
}
