import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { draw, setStage } from '../../testing/stage.tsx';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { Spread } from './spread.tsx';

const stage = setStage();
afterEach(() => vi.restoreAllMocks());

it('DESK-116 the spread follows both best prices and is not shown while a side is empty', async () => {
  stage.answers(() => undefined);
  const publish = topicPublisher('depth.btcusdt');
  draw(<Spread pair={pairOf(LISTED)} />);
  expect(screen.getByTitle('Spread').hidden).toBe(true);

  await publish({ bids: [['99', '1']], asks: [['100', '1']] });
  expect(screen.getByTitle('Spread').hidden).toBe(false);
  expect(screen.getByTitle('Spread').textContent).toBe('Spread1.001.000%');

  await publish({ bids: [['99.5', '1']], asks: [] });
  expect(screen.getByTitle('Spread').textContent).toBe('Spread0.500.500%');
  await publish({ bids: [], asks: [['100', '0']] });
  expect(screen.getByTitle('Spread').hidden).toBe(true);
});
