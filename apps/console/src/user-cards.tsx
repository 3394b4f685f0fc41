import { Article, ProposedBanner } from '@exchange/web-kit/board/board-parts.tsx';
import type { Operation } from '@exchange/web-kit/console/calls.ts';
import { ProposedFinance, ProposedMining } from '@exchange/web-kit/finance/proposed.tsx';
import { ProposedFund } from '@exchange/web-kit/fund/proposed.tsx';
import { ProposedPause } from '@exchange/web-kit/market/proposed-pause.tsx';
import { LOCALE_NAMES, setComponentLocale, useLocale, type Locale } from '@exchange/web-kit/i18n/words.ts';
import { ProposedSeconds } from '@exchange/web-kit/seconds/proposed.tsx';
import { ProposedProject } from '@exchange/web-kit/subscription/proposed.tsx';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Failed, Skeleton } from './states.tsx';
import { WORDS } from './words.ts';

/** The preview of a proposal in one language, as users would see it. */
export interface View {
  readonly locale: Locale;
  /**
   * Names of the fields that have no translation into the language `locale`; the preview shows them in
   * English.
   */
  readonly inEnglish: readonly string[];
  /** The response that the users' API would return after the proposal; the preview renders it. */
  readonly shown: object;
}

interface Props {
  readonly kind: string;
  readonly views: readonly View[];
  readonly fields: Operation['fields'];
}

/** The preview component for each kind of published record, such as a fixed-term product. */
const CARDS: Readonly<Record<string, ComponentType<{ readonly shown: never }>>> = {
  finance: ProposedFinance,
  mining: ProposedMining,
  fund: ProposedFund,
  subscription: ProposedProject,
  seconds: ProposedSeconds,
  banner: ProposedBanner,
  pause: ProposedPause,
  announcement: ({ shown }: { readonly shown: Parameters<typeof Article>[0]['announcement'] }) => (
    <Article announcement={shown} />
  ),
};

/**
 * Preview of a proposal in a selectable language; fields without a translation are listed above it. Renders
 * nothing for a kind that this version of the console does not know, and if the server sent no preview in the
 * selected language.
 */
export function UserCards({ kind, views, fields }: Props) {
  const [locale, setLocale] = useState<Locale>('en-US');
  const view = views.find((candidate) => candidate.locale === locale);
  const Card = CARDS[kind];
  if (view === undefined || Card === undefined) return null;
  return (
    <>
      <div className="tabs" role="group" aria-label={WORDS.language}>
        {views.map((option) => (
          <button
            key={option.locale}
            type="button"
            lang={option.locale}
            aria-pressed={option.locale === locale}
            onClick={() => setLocale(option.locale)}
          >
            {LOCALE_NAMES[option.locale]}
            {option.inEnglish.length > 0 && (
              <>
                <span aria-hidden="true"> *</span>
                <span className="visually-hidden"> {WORDS.inEnglish}</span>
              </>
            )}
          </button>
        ))}
      </div>
      {view.inEnglish.length > 0 && (
        <p className="note">
          {WORDS.notWritten} {view.inEnglish.map((name) => nameOf(name, fields)).join(', ')}
        </p>
      )}
      <InLanguage locale={locale}>
        {/* The kind of the response selects `Card`, so `Card` accepts the response although the type checker
            cannot verify it. */}
        <Card shown={view.shown as never} />
      </InLanguage>
    </>
  );
}

/**
 * Switches the users' components to the language and renders its children once the translations have loaded;
 * a placeholder before, and an error message with a button to retry if they do not load.
 */
function InLanguage({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const current = useLocale();
  const [outcome, setOutcome] = useState<{ readonly locale: Locale; readonly error: string }>();
  const error = outcome?.locale === locale ? outcome.error : undefined;
  const isSpoken = error === '' && current === locale;
  const hasFailed = error !== undefined && error !== '';
  // The language of the components is a global setting. If something else changes it, the preview switches back to its
  // own language. A language that was chosen earlier and loads later is not switched to.
  useEffect(() => {
    if (hasFailed || (error === '' && current === locale)) return undefined;
    let isChosen = true;
    const settle = (failure: string) => {
      if (isChosen) setOutcome({ locale, error: failure });
    };
    setComponentLocale(locale, () => isChosen).then(
      () => settle(''),
      () => settle(WORDS.noCards),
    );
    return () => {
      isChosen = false;
    };
  }, [current, error, hasFailed, locale]);
  if (hasFailed) return <Failed error={error} onRetry={() => setOutcome(undefined)} />;
  if (!isSpoken) return <Skeleton label={WORDS.loading} />;
  return (
    <div className="card-of-users" lang={locale}>
      {children}
    </div>
  );
}

/**
 * Returns the label of the English variant of a translated field, without the suffix ` (English)`; the name
 * of the field if it has no English variant.
 */
function nameOf(name: string, fields: Operation['fields']): string {
  return fields[`${name}En`]?.label.replace(/ \(English\)$/, '') ?? name;
}
