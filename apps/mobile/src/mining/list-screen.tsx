import { EarnContext } from '@exchange/web-kit/finance/earn.ts';
import { MINING_KIND } from '@exchange/web-kit/finance/mining-kind.ts';
import FinanceListScreen from '../finance/list-screen.tsx';

/** Screen with the mining products; it uses the components of the screen with fixed-term products. */
export default function MiningListScreen() {
  return (
    <EarnContext value={MINING_KIND}>
      <FinanceListScreen />
    </EarnContext>
  );
}
