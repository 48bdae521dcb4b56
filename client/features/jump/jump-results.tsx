import ChartLine from 'lucide-react/icons/chart-line'
import PencilLine from 'lucide-react/icons/pencil-line'
import ScanSearch from 'lucide-react/icons/scan-search'
import { type ReactNode, useEffect, useRef } from 'react'
import { PointValue } from '../data/points/point-value.tsx'
import type { Target, TargetAction } from './jump-targets.ts'
import { type Readings, readingName } from './searches.ts'

const ICONS = { Chart: ChartLine, Write: PencilLine, 'Search in': ScanSearch }

/** A position in the results. Cell 0 opens the target; the other cells are its actions. */
export interface Place {
  row: number
  cell: number
}

interface JumpResultsProps {
  id: string
  targets: readonly Target[]
  position: Place
  readings: Readings
  onChoose: (target: Target, action: TargetAction | null) => void
}

export function JumpResults({ id, targets, position, readings, onChoose }: JumpResultsProps) {
  const list = useRef<HTMLDivElement>(null)
  const groups = [...new Set(targets.map(({ group }) => group))]
  useEffect(() => {
    list.current?.querySelector(`[data-row="${position.row}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [position.row])
  return (
    <div role="listbox" id={id} aria-label="Search results" ref={list} className="jump-list" tabIndex={-1}>
      {groups.map((group) => (
        <div key={group} role="presentation">
          <div role="presentation" className="menu-group">
            {group}
          </div>
          {targets.map(
            (target, row) =>
              target.group === group && (
                <div
                  key={target.id}
                  role="presentation"
                  className="jump-row"
                  data-row={row}
                  data-active={row === position.row || undefined}
                >
                  {[null, ...(target.actions ?? [])].map((action, cell) => (
                    <Option
                      key={action?.name ?? ''}
                      id={optionId(id, { row, cell })}
                      selected={row === position.row && cell === position.cell}
                      label={action && `${action.name} ${target.name}`}
                      onChoose={() => onChoose(target, action)}
                    >
                      {action ? (
                        <ActionWords name={action.name} />
                      ) : (
                        <TargetWords target={target} readings={readings} />
                      )}
                    </Option>
                  ))}
                </div>
              )
          )}
        </div>
      ))}
    </div>
  )
}

export const optionId = (id: string, { row, cell }: Place) => `${id}-${row}-${cell}`

interface OptionProps {
  id: string
  selected: boolean
  /** The accessible name; null if the content is the name. */
  label: string | null
  onChoose: () => void
  children: ReactNode
}

function Option({ id, selected, label, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
    <div
      role="option"
      tabIndex={-1}
      id={id}
      aria-selected={selected}
      aria-label={label ?? undefined}
      className={label === null ? 'jump-target' : 'line hint jump-action'}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  )
}

function ActionWords({ name }: Pick<TargetAction, 'name'>) {
  const Icon = ICONS[name]
  return (
    <>
      <Icon />
      <span>{name}</span>
    </>
  )
}

function TargetWords({ target, readings }: { target: Target; readings: Readings }) {
  const { name, detail, found, group } = target
  return (
    <>
      <span className="jump-name">
        <span>{name}</span>
        {found && <PointValue point={found.point} live={readings.get(readingName(found))} />}
      </span>
      <small>
        {detail}
        <span className="sr-only">, {group}</span>
      </small>
    </>
  )
}
