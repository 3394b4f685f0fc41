import { Navigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { orderPath } from '../paths.ts';

/** Redirects the mobile site's order path, `/account/order?id=…`, to the order's details in the records. */
export default function OrderLink() {
  const [search] = useSearchParams();
  const id = search.get('id');
  return <Navigate to={id === null ? paths.records : orderPath(id)} replace />;
}
