import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { lazyPart } from './lazy-part.tsx';

/**
 * A mocked network. While it is up, the code of lazily loaded components loads; while it is down, loading fails with
 * the error of a browser.
 */
class Network {
  isThere = true;
  fetches = 0;

  readonly load = async <Part,>(part: Part): Promise<{ readonly default: Part }> => {
    this.fetches += 1;
    await Promise.resolve();
    if (!this.isThere) throw new TypeError('Failed to fetch dynamically imported module: /assets/part-1.js');
    return { default: part };
  };
}

let network: Network;
const settle = () => act(() => vi.advanceTimersByTimeAsync(0));

beforeEach(async () => {
  await loadAllWords();
  network = new Network();
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a lazily loaded part', () => {
  it('WEB-902 affects nothing else when loading fails, and loads on retry', async () => {
    const Chart = lazyPart('chart', () => network.load(() => <p>The chart</p>), { waiting: <p>Waiting</p> });
    network.isThere = false;
    render(
      <>
        <p>The ticket</p>
        <Chart />
      </>,
    );
    expect(screen.getByText('Waiting')).toBeTruthy();
    await settle();
    expect(screen.getByText('The ticket')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('could not be loaded');
    network.isThere = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByText('The chart')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('WEB-902 loads by itself when the network is back', async () => {
    const Chart = lazyPart('chart', () => network.load(() => <p>The chart</p>));
    network.isThere = false;
    render(<Chart />);
    await settle();
    network.isThere = true;
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(screen.getByText('The chart')).toBeTruthy();
  });

  it('WEB-903 stays invisible if optional, and is fetched again after growing pauses', async () => {
    const Chat = lazyPart('chat', () => network.load(() => <p>Chat</p>), { whenMissing: 'nothing' });
    network.isThere = false;
    const { container } = render(<Chat />);
    await settle();
    expect(container.textContent).toBe('');
    expect(network.fetches).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(network.fetches).toBe(2);
    await act(() => vi.advanceTimersByTimeAsync(9_999));
    expect(network.fetches).toBe(2);
    network.isThere = true;
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByText('Chat')).toBeTruthy();
  });

  it('WEB-902 can be closed if it is a dialog that failed to load, and offers a page reload after the second failure', async () => {
    const onClose = vi.fn<() => void>();
    const Sheet = lazyPart<{ onClose: () => void }>('sheet', () => network.load(() => <p>Sheet</p>), {
      whenMissing: 'dialog',
    });
    network.isThere = false;
    render(<Sheet onClose={onClose} />);
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('WEB-902 affects nothing else when rendering fails', async () => {
    let isBroken = true;
    const News = lazyPart('news', () =>
      network.load(() => {
        if (isBroken) throw new Error('a bug');
        return <p>News</p>;
      }),
    );
    render(
      <>
        <p>The desk</p>
        <News />
      </>,
    );
    await settle();
    expect(screen.getByText('The desk')).toBeTruthy();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('News')).toBeTruthy();
  });
});
