import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import type { EntryTerms } from './domain.ts';
import type { Board } from './service.ts';
import { ANNOUNCEMENTS, BANNERS } from './words/demo-entries.ts';

const PUBLISHING = { by: 'house', reason: 'part of the demo' };

/**
 * Publishes the announcements and banners of a demo. Each is published only once, so that later changes by operators
 * are not overwritten.
 */
export async function seedBoard(
  board: Board,
  { attempt, now }: Pick<Demo, 'attempt' | 'now'>,
): Promise<void> {
  const existingCodes = new Set(
    [...(await board.all('announcement')), ...(await board.all('banner'))].map(({ code }) => code),
  );
  const demoEntries: EntryTerms[] = [
    ...ANNOUNCEMENTS.map(({ code, daysAgo, daysLeft, topic, title, content }) => ({
      code,
      kind: 'announcement' as const,
      position: 0,
      isWithdrawn: false,
      body: { title, content, topic },
      fromAt: later(now, -daysAgo * DAY_MS),
      untilAt: daysLeft === undefined ? undefined : later(now, daysLeft * DAY_MS),
    })),
    ...BANNERS.map(({ code, picture, screen, title, content }, position) => ({
      code,
      kind: 'banner' as const,
      position,
      isWithdrawn: false,

      body: { title, content, picture, link: board.addressOf(screen) },
      fromAt: later(now, -DAY_MS),
      untilAt: undefined,
    })),
  ];
  for (const terms of demoEntries)
    if (!existingCodes.has(terms.code))
      await attempt(`board ${terms.code}`, () => board.publish(terms, PUBLISHING));
}
