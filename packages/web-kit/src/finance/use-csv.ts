import { useState } from 'react';
import { serverNow } from '../clock.ts';
import { notify } from '../notify.ts';
import { saveFile } from '../save-file.ts';
import { loadOrdersCsv } from './csv.ts';
import { useEarn, useEarnWords } from './earn.ts';

/** Saves all own orders as a CSV file; what goes wrong is told. */
export function useCsv() {
  const earn = useEarn();
  const t = useEarnWords();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const name = `${earn.part === 'finance' ? 'earn' : 'mining'}-${new Date(serverNow()).toISOString().slice(0, 10)}.csv`;
      saveFile(await loadOrdersCsv(earn, t), name);
      notify.success(t('csvSaved', { name }));
    } catch (error) {
      // Reason: refused or not come through; there is no file, which is said.
      notify.failure(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, save };
}
