import type { TaxMethod } from '@exchange/core/tax.ts';
import { TAX_FILES } from '@exchange/wire/tax.ts';
import { IncompleteDownload } from './export.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import css from './tax.module.css';
import { useTaxFile, type TaxFile } from './tax.ts';

const FILES = ['statement', ...TAX_FILES] as const;

/**
 * Buttons that download the files of a tax year. All are disabled while a download runs, because the server
 * runs one tax export of a user at a time.
 */
export function TaxFiles({ year, method }: { readonly year: number; readonly method: TaxMethod }) {
  const t = useWords('tax');
  const download = useTaxFile();
  const start = (file: TaxFile): void =>
    download.mutate(
      { year, method, file },
      {
        onSuccess: (name) => notify.success(t('downloaded', { name })),
        onError: (error) => {
          if (error instanceof IncompleteDownload) notify.error(t('cut'));
          else notify.failure(error);
        },
      },
    );
  return (
    <>
      <p className={css.note}>{t('filesNote')}</p>
      <ul className={css.files}>
        {FILES.map((file) => (
          <li key={file}>
            <span>{t(`file_${file}`)}</span>
            <Button
              look="secondary"
              size="s"
              aria-label={`${t('download')}: ${t(`file_${file}`)}`}
              busy={download.isPending && download.variables.file === file}
              disabled={download.isPending}
              onClick={() => start(file)}
            >
              {t('download')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
