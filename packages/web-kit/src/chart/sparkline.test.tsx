import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Sparkline } from './sparkline.tsx';

afterEach(cleanup);

it.each([
  ['0.012', 'up'],
  ['-0.012', 'down'],
  ['0.00001', 'flat'],
  [undefined, 'flat'],
])(
  'WEB-221 has the colour of the change beside it, whichever way its hours went: %s is %s',
  (change, way) => {
    const { container } = render(<Sparkline values={['10', '12', '9']} change={change} />);
    expect(container.querySelector('svg')?.dataset['direction']).toBe(way);
  },
);
