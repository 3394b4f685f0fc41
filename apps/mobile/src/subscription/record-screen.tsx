import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { PartList } from '@exchange/web-kit/subscription/lists.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

export default function SubscriptionRecordScreen() {
  const t = useWords('subscription');
  const toProjects = (
    <ButtonLink look="secondary" to={paths.subscribe}>
      {t('toProjects')}
    </ButtonLink>
  );
  return (
    <Screen title={t('records')} parent={paths.subscribe}>
      <PartList action={toProjects} />
    </Screen>
  );
}
