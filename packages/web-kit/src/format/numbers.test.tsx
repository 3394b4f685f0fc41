import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Amount } from './numbers.tsx';

beforeAll(() => loadAllWords());
afterEach(cleanup);

describe('an amount', () => {
  it('WEB-027 that is cut shows its full value as a tooltip', () => {
    render(<Amount value="1499.264235" digits={4} coin="USDT" />);
    expect(screen.getByTitle('1,499.264235 USDT').textContent).toBe('1,499.2642\u00A0USDT');
  });

  it('WEB-954 WEB-955 has the decimals of its kind and coin, and a space before its unit', () => {
    const { container } = render(
      <>
        <Amount value="46" coin="USDT" />
        <Amount value="0.0000001" kind="sum" figureCoin="USDT" />
        <Amount value="426502741.00000000" kind="sum" coin="SHIB" />
      </>,
    );
    const texts = [...container.children].map(({ textContent }) => textContent);
    expect(texts).toEqual(['46.00\u00A0USDT', '0.0000001', '426,502,741\u00A0SHIB']);
  });

  it('WEB-027 that is hidden, or shown completely, has no tooltip', () => {
    const { container } = render(
      <>
        <Amount value="1499.264235" digits={4} hidden />
        <Amount value="1499.26" digits={4} />
      </>,
    );
    expect(container.textContent).toBe('••••••1,499.2600');
    expect(container.querySelector('[title]')).toBeNull();
  });
});
