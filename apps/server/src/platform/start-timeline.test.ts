import { expect, it } from 'vitest';
import { StartTimeline } from './start-timeline.ts';

it('CLU-096 the parts of a start are listed by their time, without the wait of a standby', async () => {
  let nowMs = 1_000;
  const timeline = new StartTimeline({ monotonicMs: () => nowMs });
  const part = (name: string, ms: number) => timeline.measured(name, () => void (nowMs += ms));
  await part('processes', 700);
  await timeline.measured('writer', () => {
    nowMs += 3_600_000;
    timeline.begin();
    nowMs += 40;
  });
  await part('mail', 9.4);
  await part('spot', 211.6);
  expect(timeline.fields()).toEqual({ ms: 261, parts: 'spot 212, writer 40' });
});
