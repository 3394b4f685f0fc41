import { Article, ProposedBanner } from '@exchange/web-kit/board/board-parts.tsx';
import type { Operation } from '@exchange/web-kit/console/calls.ts';
import { ProposedFinance, ProposedMining } from '@exchange/web-kit/finance/proposed.tsx';
import { ProposedFund } from '@exchange/web-kit/fund/proposed.tsx';
import { LOCALE_NAMES, speakInParts, useLocale, type Locale } from '@exchange/web-kit/i18n/words.ts';
import { ProposedProject } from '@exchange/web-kit/subscription/proposed.tsx';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Failed, Skeleton } from './states.tsx';
import { WORDS } from './words.ts';

/** What is proposed as readers of one language would see it. */
export interface View {
  readonly locale: Locale;
  /** Fields that readers see in English. */
  readonly inEnglish: readonly string[];
  /** What the users' own call would answer. */
  readonly shown: object;
}

interface Props {
  readonly kind: string;
  readonly views: readonly View[];
  readonly fields: Operation['fields'];
}

/** The users' own cards, by what the server says that a call publishes. */
const CARDS: Readonly<Record<string, ComponentType<{ readonly shown: never }>>> = {
  finance: ProposedFinance,
  mining: ProposedMining,
  fund: ProposedFund,
  subscription: ProposedProject,
  banner: ProposedBanner,
  announcement: ({ shown }: { readonly shown: Parameters<typeof Article>[0]['announcement'] }) => (
    <Article announcement={shown} />
  ),
};

/** One language's card at a time, what is not written in it named above. */
export function UserCards({ kind, views, fields }: Props) {
  const [locale, setLocale] = useState<Locale>('en-US');
  const view = views.find((one) => one.locale === locale);
  const Card = CARDS[kind];
  if (view === undefined || Card === undefined) return null;
  return (
    <>
      <div className="tabs" role="group" aria-label={WORDS.language}>
        {views.map((one) => (
          <button
            key={one.locale}
            type="button"
            lang={one.locale}
            aria-pressed={one.locale === locale}
            onClick={() => setLocale(one.locale)}
          >
            {LOCALE_NAMES[one.locale]}
            {one.inEnglish.length > 0 && (
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
      <Spoken locale={locale}>
        {/* The server answers what the card of its kind takes. */}
        <Card shown={view.shown as never} />
      </Spoken>
    </>
  );
}

/** What stands in it is shown once the words of its language are there. */
function Spoken({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const current = useLocale();
  const [said, setSaid] = useState<{ readonly locale: Locale; readonly error: string }>();
  const speak = useCallback(
    () =>
      speakInParts(locale).then(
        () => setSaid({ locale, error: '' }),
        () => setSaid({ locale, error: WORDS.noCards }),
      ),
    [locale],
  );
  const isSaid = said?.locale === locale;
  const hasFailed = isSaid && said.error !== '';
  const isSpoken = isSaid && !hasFailed && current === locale;
  // Again where another language, asked for before, came later.
  useEffect(() => {
    if (!isSpoken && !hasFailed) void speak();
  }, [isSpoken, hasFailed, speak]);
  if (hasFailed) return <Failed error={said.error} onRetry={() => void speak()} />;
  if (!isSpoken) return <Skeleton label={WORDS.loading} />;
  return (
    <div className="card-of-users" lang={locale}>
      {children}
    </div>
  );
}

/** A text's field without its language. */
function nameOf(name: string, fields: Operation['fields']): string {
  return fields[`${name}En`]?.label.replace(/ \(English\)$/, '') ?? name;
}
