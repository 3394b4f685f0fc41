import { startWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { Book } from './book.tsx';

beforeAll(startWords);
afterEach(cleanup);

it('MOB-105 a book without orders says so beside the ticket, and no longer when there are some', async () => {
  const publish = topicPublisher('depth.nobodyusdt');
  render(
    <Providers>
      <Book pair={pairOf({ ...LISTED, symbol: 'nobodyusdt' })} onPrice={undefined} />
    </Providers>,
  );
  const words = () => screen.queryByText('No orders in the book yet.');
  expect(words()).toBeNull();
  await publish({ bids: [], asks: [] });
  expect(words()).not.toBeNull();
  await publish({ bids: [['99', '1']], asks: [] });
  expect(words()).toBeNull();
});
