import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { IndicatorMenu } from './chart-toolbar.tsx';

describe('the indicators menu', () => {
  const onChange = vi.fn<(names: readonly string[]) => void>();
  const button = () => screen.getByRole('button', { name: 'Indicators' });
  const isOpen = () => button().getAttribute('aria-expanded') === 'true';
  /** Waits until the current task has ended and timers without a delay have run. */
  const nextTask = () => act(() => new Promise((resolve) => setTimeout(resolve)));

  beforeEach(async () => {
    await loadAllWords();
    onChange.mockClear();
    render(
      <>
        <IndicatorMenu
          shown={['MA']}
          onChange={onChange}
          parameters={new Map()}
          onParametersChange={() => undefined}
        />
        <button type="button">elsewhere</button>
      </>,
    );
    fireEvent.click(button());
  });
  afterEach(cleanup);

  it('WEB-163 stays open when its own text is pressed, and the press counts', async () => {
    const name = screen.getByText('BOLL');
    const box = screen.getByLabelText('MA');
    box.focus();
    fireEvent.pointerDown(name);
    fireEvent.blur(box, { relatedTarget: null });
    await nextTask();
    expect(isOpen()).toBe(true);
    fireEvent.click(name);
    expect(onChange).toHaveBeenCalledWith(['MA', 'BOLL']);
    expect(isOpen()).toBe(true);
  });

  it('WEB-163 closes on Escape, on a press outside and when the focus leaves it', async () => {
    fireEvent.keyDown(screen.getByLabelText('MA'), { key: 'Escape' });
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(button());

    fireEvent.click(button());
    fireEvent.pointerDown(screen.getByText('elsewhere'));
    expect(isOpen()).toBe(false);

    fireEvent.click(button());
    fireEvent.blur(screen.getByLabelText('MA'), { relatedTarget: screen.getByText('elsewhere') });
    expect(isOpen()).toBe(true);
    await nextTask();
    expect(isOpen()).toBe(false);
  });
});
