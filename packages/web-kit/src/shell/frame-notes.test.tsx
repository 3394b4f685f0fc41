import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { feed } from '../feed/feed.ts';
import { loadAllWords } from '../i18n/words.ts';
import { topicPublisher } from '../market/testing/topic-publisher.ts';
import FrameNotes from './frame-notes.tsx';

const NOTE = /Order processing is delayed/;

describe('notes over every screen', () => {
  let publish: (data: unknown) => Promise<void>;

  beforeAll(() => loadAllWords());
  beforeEach(() => {
    publish = topicPublisher('execution');
    act(() => feed['options'].onState('live'));
    render(<FrameNotes className="" />);
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  it('WEB-1114 say that orders are delayed, from the message of the feed until they are executed again', async () => {
    await publish({ waitingSince: null });
    expect(screen.queryByText(NOTE)).toBeNull();
    await publish({ waitingSince: 1_796_042_434_331 });
    expect(screen.getByRole('status').textContent).toMatch(NOTE);
    await publish({ waitingSince: null });
    expect(screen.queryByText(NOTE)).toBeNull();
  });

  it('WEB-1114 say nothing of orders while the feed is interrupted', async () => {
    await publish({ waitingSince: 1_796_042_434_331 });
    act(() => feed['options'].onState('connecting'));
    expect(screen.queryByText(NOTE)).toBeNull();
    act(() => feed['options'].onState('live'));
    expect(screen.getByText(NOTE)).toBeTruthy();
  });
});
