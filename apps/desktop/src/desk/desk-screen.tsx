import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { DeskHeader } from './desk-header.tsx';
import classes from './desk.module.css';

const Desk = lazyPart('desk', () => import('./desk.tsx'), { waiting: <DeskSkeleton /> });

/** The professional trading desk: several charts and panels in layouts of the user's own. */
export default function DeskScreen() {
  const t = useWords('desk');
  const pairs = usePairs();
  useTitle(t('title'));
  if (pairs.data === undefined && pairs.error !== null)
    return (
      <div className={classes.nothing}>
        <h1 className="visually-hidden">{t('title')}</h1>
        <LoadFailed error={pairs.error} onRetry={() => void pairs.refetch()} />
      </div>
    );
  return pairs.data === undefined ? <DeskSkeleton /> : <Desk />;
}

/** Placeholder of the desk until the list of pairs and the code of the desk are loaded. */
function DeskSkeleton() {
  return (
    <div className={classes.desk} aria-busy="true">
      <DeskHeader />
      <div className={classes.waiting}>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </div>
    </div>
  );
}
