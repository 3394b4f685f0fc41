import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { LOCALE_NAMES, LOCALES, setLocale, useLocale } from '../../src/i18n/words.ts';
import { pairOf } from '../../src/market/pair.ts';
import { PAIRS_KEY } from '../../src/market/pair-updates.ts';
import { LISTED } from '../../src/market/testing/listed-pair.ts';
import { Theme, UP_COLOURS, useColourScheme, useUpDownColours } from '../../src/theme/theme.tsx';
import { SegmentedControl } from '../../src/ui/choice.tsx';
import { Toaster } from '../../src/ui/toast.tsx';
import css from './parts-page.module.css';
import { useProductCards } from './product-cards.tsx';
import { TRADED_TOKEN } from './product-samples.ts';
import { useUiParts, type PartStates } from './ui-parts.tsx';

/**
 * Returns a query cache for the component page. It contains only the pair of one token, and its queries fetch
 * nothing.
 */
function cacheWithPairs(): QueryClient {
  const cache = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  cache.setQueryData(PAIRS_KEY, [pairOf({ ...LISTED, symbol: 'novausdt', baseCoin: TRADED_TOKEN })]);
  return cache;
}

/**
 * Page that shows each UI component and product card in all of its states; the theme and the language can be switched.
 */
export function PartsPage() {
  const [cache] = useState(cacheWithPairs);
  const [router] = useState(() => createMemoryRouter([{ path: '*', element: <Page /> }]));
  return (
    <QueryClientProvider client={cache}>
      <Theme>
        <RouterProvider router={router} />
        <Toaster />
      </Theme>
    </QueryClientProvider>
  );
}

function Page() {
  return (
    <div className={css.page}>
      <Switches />
      <Section title="Parts" parts={useUiParts()} />
      <Section title="Product cards" parts={useProductCards()} />
    </div>
  );
}

/** Controls by which a viewer of the component page selects the theme, the language and the price colours. */
function Switches() {
  const { scheme, choose } = useColourScheme();
  const { up, choose: chooseColours } = useUpDownColours();
  const locale = useLocale();
  return (
    <header className={css.switches}>
      <SegmentedControl
        label="Theme"
        options={[
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
        ]}
        value={scheme}
        onChange={choose}
      />
      <SegmentedControl
        label="Language"
        options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        value={locale}
        onChange={(value) => void setLocale(value)}
      />
      <SegmentedControl
        label="Price colours"
        options={UP_COLOURS.map((value) => ({ value, label: value }))}
        value={up}
        onChange={chooseColours}
      />
    </header>
  );
}

function Section({ title, parts }: { readonly title: string; readonly parts: PartStates }) {
  return (
    <section>
      <h1>{title}</h1>
      {Object.entries(parts).map(([name, states]) => (
        <section key={name} id={name} aria-label={name} className={css.part}>
          <h2>{name}</h2>
          <div className={css.states}>
            {Object.entries(states).map(([state, element]) => (
              <figure key={state}>
                <figcaption>{state}</figcaption>
                {element}
              </figure>
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}
