import { useWords } from '../i18n/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import css from './withdraw.module.css';

interface NoMemoProps {
  readonly isConfirmed: boolean;
  readonly onChange: (isConfirmed: boolean) => void;
}

/**
 * Checkbox by which the user confirms that the recipient's wallet needs no memo; when checked, a text warns that
 * exchanges always need a memo.
 */
export function NoMemo({ isConfirmed, onChange }: NoMemoProps) {
  const t = useWords('transfer');
  return (
    <div>
      <Checkbox label={t('noMemo')} checked={isConfirmed} onChange={onChange} />
      {isConfirmed ? <p className={css.hint}>{t('noMemoRisk')}</p> : null}
    </div>
  );
}
