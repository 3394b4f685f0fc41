import { Navigate, useSearchParams } from 'react-router';
import { orderPath, paths } from '../paths.ts';

/** An order's address on the mobile site, `/account/order?id=…`, leads to its details among the records. */
export function OrderLink() {
  const [search] = useSearchParams();
  const id = search.get('id');
  return <Navigate to={id === null ? paths.account.trades : orderPath(id)} replace />;
}
