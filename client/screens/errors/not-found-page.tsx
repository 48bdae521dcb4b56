import { useLocation } from 'react-router-dom'
import { NotFound } from '../../components/not-found.tsx'
import { paths } from '../../paths.ts'

export default function NotFoundPage() {
  return <NotFound path={useLocation().pathname} home={paths.home} />
}
