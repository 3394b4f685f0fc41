import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { subscriptionWhileMounted } from './shared-subscription.ts';

it('WEB-090 a shared subscription starts once, ends with its last user and starts again', () => {
  const story: string[] = [];
  const useJoined = subscriptionWhileMounted(() => {
    story.push('joined');
    return () => void story.push('left');
  });
  const first = renderHook(() => useJoined());
  const second = renderHook(() => useJoined());
  first.rerender();
  first.unmount();
  expect(story).toEqual(['joined']);
  second.unmount();
  expect(story).toEqual(['joined', 'left']);
  renderHook(() => useJoined()).unmount();
  expect(story).toEqual(['joined', 'left', 'joined', 'left']);
});
