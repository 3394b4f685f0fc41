import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { onSessionEnded } from '../api/client.ts';
import { askFailedAgain, queryClient } from '../api/query-client.ts';
import { startStoredAnswers } from '../api/stored-answers.ts';
import { onFeedLive, startFeed } from '../feed/feed.ts';
import { followLocaleOfTabs, onLocale } from '../i18n/words.ts';
import { onUserChange, OWN } from '../session/own-key.ts';
import { followOtherTabs } from '../session/session-store.ts';
import { holdColoursAcrossLanguages, Theme } from '../theme/theme.tsx';
import { Toaster } from '../ui/toast.tsx';
import { notify } from '../notify.ts';
import { followTranslation } from './translated-page.ts';
import { followUnexpectedErrors } from './unexpected.ts';

/** Everything an app stands on: cache, theme, live feed, notices, and the end of a session. Words are loaded before. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(() => {
    const stops = [
      startFeed(),
      startStoredAnswers(),
      onFeedLive(askFailedAgain),
      followOtherTabs(),
      followUnexpectedErrors(),
      followTranslation(),
      holdColoursAcrossLanguages(),
      followLocaleOfTabs(),
      // Messages and descriptions of coins come worded by the exchange.
      onLocale(() => void queryClient.invalidateQueries()),
      // Nothing that was loaded for somebody else may be seen by the next person, whichever tab let them in.
      onUserChange(() => queryClient.removeQueries({ queryKey: [OWN] })),
      onSessionEnded(notify.warning),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <Theme>
        {children}
        <Toaster />
      </Theme>
    </QueryClientProvider>
  );
}
