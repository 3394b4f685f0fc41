import { DAY_MS } from '@exchange/core/time.ts';
import { EarnContext, useEarnWords } from '../../src/finance/earn.ts';
import { MINING_KIND } from '../../src/finance/mining-kind.ts';
import { DaysLeft, NextPayment } from '../../src/finance/holding-parts.tsx';
import { EarnCard, ProductCard } from '../../src/finance/product-card.tsx';
import type { Holding } from '../../src/finance/shapes.ts';
import { HOLDING, PRODUCT } from '../../src/finance/testing/samples.ts';
import { Amount } from '../../src/format/numbers.tsx';
import { FundCard } from '../../src/fund/parts.tsx';
import { RecordCard } from '../../src/fund/records.tsx';
import { useWords } from '../../src/i18n/words.ts';
import { OpenCard } from '../../src/seconds/positions.tsx';
import { PartCard } from '../../src/subscription/part-card.tsx';
import { ProjectCard } from '../../src/subscription/parts.tsx';
import { Button } from '../../src/ui/button.tsx';
import { FUND, FUND_RECORD, PART, PROJECT, SECONDS_ORDER, TRADED_TOKEN } from './product-samples.ts';
import type { PartStates } from './ui-parts.tsx';

const NOW = Date.now();

/** Returns elements for the component page: the card of each product in all of its states. */
export function useProductCards(): PartStates {
  const t = useWords('finance');
  const buy = <Button size="s">{t('buy')}</Button>;
  return {
    ProductCard: {
      'on sale': <ProductCard product={PRODUCT} action={buy} />,
      'opening soon': (
        <ProductCard product={{ ...PRODUCT, status: 0, selling: 0, startTime: NOW + DAY_MS }} />
      ),
      'sale paused': <ProductCard product={{ ...PRODUCT, selling: 0 }} />,
      'little left': <ProductCard product={{ ...PRODUCT, remaining: '150' }} action={buy} />,
      'sold out': <ProductCard product={{ ...PRODUCT, status: 2, selling: 0, remaining: '0' }} />,
      ended: <ProductCard product={{ ...PRODUCT, status: 3, selling: 0 }} />,
      mining: (
        <EarnContext value={MINING_KIND}>
          <ProductCard product={{ ...PRODUCT, name: 'BTC 90', currency: 'BTC', period: 90, manual: 1 }} />
        </EarnContext>
      ),
    },
    EarnCard: {
      earning: <HoldingCard order={{ ...HOLDING, endTime: NOW + 18 * DAY_MS }} />,
      'ready to redeem': (
        <HoldingCard order={{ ...HOLDING, endTime: NOW - DAY_MS, status: 2, withdrawable: 1 }} />
      ),
      completed: <HoldingCard order={{ ...HOLDING, status: 3, closeTime: NOW - DAY_MS }} />,
    },
    FundCard: {
      open: <FundCard fund={FUND} link={buy} />,
      'trading paused': <FundCard fund={{ ...FUND, degraded: 1, change24h: '-0.031' }} />,
      'purchases paused': <FundCard fund={{ ...FUND, status: 2 }} />,
      closed: <FundCard fund={{ ...FUND, status: 3 }} />,
    },
    RecordCard: {
      pending: <RecordCard record={{ ...FUND_RECORD, status: 0, profit: '0' }} onDeed={ignore} />,
      gaining: <RecordCard record={FUND_RECORD} onDeed={ignore} />,
      'in danger': (
        <RecordCard record={{ ...FUND_RECORD, marketPrice: '0.82', profit: '-99' }} onDeed={ignore} />
      ),
      'with a limit sale': (
        <RecordCard
          record={{
            ...FUND_RECORD,
            free: '200',
            sells: [{ id: 'x1', quantity: '100', sellType: 2, salePrice: '1.3', createTime: NOW }],
          }}
          onDeed={ignore}
        />
      ),
      liquidated: (
        <RecordCard
          record={{
            ...FUND_RECORD,
            status: 3,
            payout: '4.5',
            fee: '2.42',
            marketPrice: '0.807',
            profit: '-110.5',
            closeTime: NOW,
          }}
          onDeed={ignore}
        />
      ),
    },
    ProjectCard: {
      upcoming: <ProjectCard project={{ ...PROJECT, status: 0, startTime: NOW + DAY_MS, committed: '0' }} />,
      'on sale': <ProjectCard project={PROJECT} link={buy} />,
      distributing: <ProjectCard project={{ ...PROJECT, status: 2, stage: 'settling' }} />,
      listed: (
        <ProjectCard
          project={{ ...PROJECT, symbol: TRADED_TOKEN, status: 2, stage: 'settled', listTime: NOW }}
        />
      ),
      ended: <ProjectCard project={{ ...PROJECT, status: 3, stage: 'settled', listTime: NOW - DAY_MS }} />,
      refunded: <ProjectCard project={{ ...PROJECT, status: 3, stage: 'refunded' }} />,
    },
    PartCard: {
      'in the sale': (
        <PartCard part={{ ...PART, status: 1, settled: 0, allocated: '0', claimable: '0', unlocked: '0' }} />
      ),
      'to claim': <PartCard part={PART} />,
      claimed: <PartCard part={{ ...PART, released: '1200', claimable: '0' }} />,
      refunded: <PartCard part={{ ...PART, allocated: '0', cost: '0', refund: '500', claimable: '0' }} />,
    },
    OpenCard: {
      up: <OpenCard order={SECONDS_ORDER} />,
      down: <OpenCard order={{ ...SECONDS_ORDER, tradeType: 2 }} />,
      'before the entry price': <OpenCard order={withoutEntry()} />,
    },
  };
}

function ignore(): void {}

function withoutEntry() {
  const { buyPrice: _, ...order } = SECONDS_ORDER;
  return { ...order, entryTime: NOW + DAY_MS, expireTime: NOW + DAY_MS + 30_000 };
}

/** An earn order, as the order list on phones shows it. */
function HoldingCard({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const { currency } = order;
  return (
    <EarnCard
      item={order}
      aside={null}
      facts={[
        [t('amount'), <Amount key="amount" value={order.amount} coin={currency} />],
        [t('earnedSoFar'), <Amount key="profit" value={order.profit} coin={currency} />],
        [t('nextPayment'), <NextPayment key="next" order={order} />],
      ]}
      open={{ label: t('details'), act: ignore }}
    >
      <DaysLeft order={order} />
    </EarnCard>
  );
}
