import { fireEvent, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { useResultKeys } from './search-box.tsx';

setUpFixtures();
const opened: string[] = [];

function Finder() {
  const box = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const { onBoxKey, onResultKey } = useResultKeys({ box, results, onClear: () => setText('') });
  return (
    <>
      <input
        ref={box}
        aria-label="Find"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onBoxKey}
      />
      <div ref={results} onKeyDown={onResultKey}>
        {['btc', 'eth'].map((name) => (
          <a key={name} href={`#${name}`} data-result onClick={() => opened.push(name)}>
            {name}
          </a>
        ))}
      </div>
    </>
  );
}

it('DESK-013 Enter opens the first result, the arrow keys move through the results, Escape clears the search', async () => {
  const user = draw(<Finder />);
  const box = screen.getByLabelText<HTMLInputElement>('Find');
  const link = (name: string) => screen.getByRole('link', { name });
  await user.click(box);
  await user.keyboard('{Enter}');
  expect(opened).toEqual([]);
  await user.keyboard('b');
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  expect(opened).toEqual([]);
  await user.keyboard('{Enter}');
  expect(opened).toEqual(['btc']);
  expect(box.value).toBe('');

  await user.keyboard('t{ArrowDown}');
  expect(document.activeElement).toBe(link('btc'));
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(link('eth'));
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(box);
  await user.keyboard('{ArrowDown}{Escape}');
  expect(document.activeElement).toBe(box);
  expect(box.value).toBe('');
});
