import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { AddressBook } from '@exchange/web-kit/transfer/address-book.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import screen from '../style/screen.module.css';
import css from './transfer.module.css';

export default function TransferScreen() {
  const t = useWords('transfer');
  useTitle(t('addressTitle'));
  const info = useUserInfo().data;
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <div className={screen.screen}>
      <h1 className={css.title}>{t('addressTitle')}</h1>
      <div className={css.columns}>
        <section className={css.card}>
          <AddressBook person={person} />
        </section>
      </div>
    </div>
  );
}
