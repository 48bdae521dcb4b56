import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/state/panel.tsx'

interface NoRowsProps {
  title: string
  /** Number of customers that have been read, of all customers. */
  read: number
  of: number
}

/** A list of all customers without rows, perhaps only so far. */
export function NoRows({ title, read, of }: NoRowsProps) {
  if (read === of) return <Panel icon={CircleCheck} title={title} headingLevel={3} />
  return (
    <Panel icon={Hourglass} title="Nothing found so far" headingLevel={3}>
      <p role="status">
        {formatNumber(read)} of {formatNumber(of)} customers are read. Rows of the others appear here.
      </p>
    </Panel>
  )
}
