import { Navigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { orderPath } from '../paths.ts';

/** An order's address on the mobile site, `/account/order?id=…`, leads to its details among the records. */
export default function OrderLink() {
  const [search] = useSearchParams();
  const id = search.get('id');
  return <Navigate to={id === null ? paths.records : orderPath(id)} replace />;
}
