import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import type { ReactNode } from 'react'
import { Panel } from '../../../ui/state/panel.tsx'

interface NoRowsProps {
  title: string
  /** Names the customers whose rows are missing. */
  missing: ReactNode
}

/** A list of all customers without rows, perhaps only so far. */
export function NoRows({ title, missing }: NoRowsProps) {
  return (
    <Panel
      icon={missing ? Hourglass : CircleCheck}
      title={missing ? 'Nothing found so far' : title}
      headingLevel={3}
    >
      {missing}
    </Panel>
  )
}
