import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { onSessionEnded } from '../api/client.ts';
import { refetchFailed, queryClient } from '../api/query-client.ts';
import { startStoredAnswers } from '../api/stored-answers.ts';
import { onFeedLive, startFeed } from '../feed/feed.ts';
import { followLocaleOfTabs, onLocale } from '../i18n/words.ts';
import { onUserChange, USER_DATA } from '../session/user-keys.ts';
import { followOtherTabs } from '../session/session-store.ts';
import { holdColoursAcrossLanguages, Theme } from '../theme/theme.tsx';
import { Toaster } from '../ui/toast.tsx';
import { notify } from '../notify.ts';
import { followTranslation } from './translated-page.ts';
import { followUnexpectedErrors } from './unexpected.ts';

/**
 * Providers and effects that both apps need, such as the query cache, the theme and the live feed. The texts of the
 * interface must be loaded before.
 */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(() => {
    const stops = [
      startFeed(),
      startStoredAnswers(),
      onFeedLive(refetchFailed),
      followOtherTabs(),
      followUnexpectedErrors(),
      followTranslation(),
      holdColoursAcrossLanguages(),
      followLocaleOfTabs(),
      // The server translates messages and coin descriptions, so all queries are refetched when the interface language
      // changes.
      onLocale(() => void queryClient.invalidateQueries()),
      // Removes the data of the previous user from the query cache, also when another tab has changed the user.
      onUserChange(() => queryClient.removeQueries({ queryKey: [USER_DATA] })),
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
