import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Pager } from './parts.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A mocked IntersectionObserver that reports every observed element as visible. */
class AlwaysInView {
  private readonly notify: (seen: { isIntersecting: boolean }[]) => void;
  constructor(notify: (seen: { isIntersecting: boolean }[]) => void) {
    this.notify = notify;
  }
  observe(): void {
    this.notify([{ isIntersecting: true }]);
  }
  disconnect(): void {}
}

describe('the end of a growing list', () => {
  it('WEB-089 retries a failed page only by the button', async () => {
    vi.stubGlobal('IntersectionObserver', AlwaysInView);
    let requestCount = 0;
    function List() {
      const [isLoading, setLoading] = useState(false);
      const more = async () => {
        requestCount += 1;
        setLoading(true);
        await Promise.resolve();
        setLoading(false);
        return false;
      };
      return <Pager auto hasMore isLoading={isLoading} onMore={more} moreLabel="more" />;
    }
    render(<List />);
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    const byItself = requestCount;
    expect(byItself).toBeLessThanOrEqual(2);
    fireEvent.click(screen.getByRole('button'));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(requestCount).toBe(byItself + 1);
  });
});
