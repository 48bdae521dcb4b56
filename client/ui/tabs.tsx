import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<Id extends string> {
  id: Id
  label: string
  count?: string
}

interface TabsProps<Id extends string> {
  label: string
  tabs: readonly Tab<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
  children: ReactNode
}

/** The tabs of the ARIA Authoring Practices: arrow keys move the focus and choose the tab. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const index = tabs.findIndex(({ id }) => id === chosen)
    const targetIndex = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1
    }[event.key]
    const tab = targetIndex === undefined ? undefined : tabs[targetIndex]
    if (!tab) return
    event.preventDefault()
    onChoose(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }

  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} className="tab-list" ref={list} onKeyDown={move}>
        {tabs.map(({ id, label: text, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {text}
            {count !== undefined && <span className="badge plain">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`} className="tab-panel">
        {children}
      </div>
    </div>
  )
}
