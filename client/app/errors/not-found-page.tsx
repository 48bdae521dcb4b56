import { useLocation } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { NotFound } from '../../ui/state/panel.tsx'

export function NotFoundPage() {
  return <NotFound path={useLocation().pathname} home={paths.home} />
}
