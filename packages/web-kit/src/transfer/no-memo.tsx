import { useWords } from '../i18n/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import css from './withdraw.module.css';

interface NoMemoProps {
  readonly isConfirmed: boolean;
  readonly onChange: (isConfirmed: boolean) => void;
}

/** Confirms that the recipient's own wallet needs no memo; exchanges always need one, and say so. */
export function NoMemo({ isConfirmed, onChange }: NoMemoProps) {
  const t = useWords('transfer');
  return (
    <div>
      <Checkbox label={t('noMemo')} checked={isConfirmed} onChange={onChange} />
      {isConfirmed ? <p className={css.hint}>{t('noMemoRisk')}</p> : null}
    </div>
  );
}
