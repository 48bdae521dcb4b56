import Check from 'lucide-react/icons/check'
import { Fragment, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { usePopup } from './use-popup.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  checked?: boolean
  /** A heading above this item and the items that follow. */
  group?: string
  /** Why the item is disabled. A disabled item stays focusable. */
  disabledReason?: string | null
  tone?: 'danger'
  /** Whether the item also shows as an icon button before the menu. */
  inline?: boolean
  onSelect: () => void
}

interface MenuButtonProps {
  label: string
  className: string
  children: ReactNode
  head?: ReactNode
  items: MenuItem[]
}

/** The menu button of the ARIA Authoring Practices: arrow keys move, letters jump to an item. */
export function MenuButton({ label, className, children, head, items }: MenuButtonProps) {
  const list = useRef<HTMLDivElement>(null)
  const startsAtEnd = useRef(false)
  // An icon that shows before the menu is repeated only so that all labels of the menu are in line.
  const withIcons = items.some(({ icon, inline }) => icon && !inline)
  const { open, show, close, button, popup } = usePopup({
    focusTarget: () => entriesIn(list.current).at(startsAtEnd.current ? -1 : 0)
  })

  function move(event: KeyboardEvent) {
    const entries = entriesIn(list.current)
    const index = entries.indexOf(document.activeElement as HTMLElement)
    const target = targetOf(event.key, index, entries)
    if (!target) return
    target.focus()
    event.preventDefault()
  }

  return (
    <>
      <button
        {...button}
        type="button"
        className={className}
        aria-haspopup="menu"
        onClick={() => {
          startsAtEnd.current = false
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          startsAtEnd.current = event.key === 'ArrowUp'
          show()
        }}
      >
        {children}
      </button>
      <div {...popup} className="menu">
        {open && (
          <>
            {head}
            <div role="menu" ref={list} aria-label={label} onKeyDown={move} tabIndex={-1}>
              {items.map((item) => (
                <Fragment key={item.label}>
                  {item.group && (
                    <div role="presentation" className="menu-group">
                      {item.group}
                    </div>
                  )}
                  <MenuEntry
                    item={item}
                    withIcon={withIcons}
                    onSelect={() => {
                      if (item.disabledReason) return
                      item.onSelect()
                      close()
                    }}
                  />
                </Fragment>
              ))}
            </div>
          </>
        )}
      </div>
    </>
  )
}

const entriesIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])
]

function targetOf(key: string, index: number, list: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return list[(index + 1) % list.length]
  if (key === 'ArrowUp') return list.at(index - 1)
  if (key === 'Home') return list[0]
  if (key === 'End') return list.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const followingEntries = [...list.slice(index + 1), ...list.slice(0, index + 1)]
  return followingEntries.find((entry) =>
    entry.textContent?.trim().toLowerCase().startsWith(key.toLowerCase())
  )
}

interface MenuEntryProps {
  item: MenuItem
  withIcon: boolean
  onSelect: () => void
}

function MenuEntry({ item, withIcon, onSelect }: MenuEntryProps) {
  const content = (
    <>
      {withIcon && item.icon}
      <span className="menu-label">
        {item.label}
        {item.disabledReason && <small>{item.disabledReason}</small>}
      </span>
    </>
  )
  if (item.checked === undefined) {
    return (
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={item.tone}
        aria-disabled={item.disabledReason ? true : undefined}
        onClick={onSelect}
      >
        {content}
      </button>
    )
  }
  return (
    <button type="button" role="menuitemradio" aria-checked={item.checked} tabIndex={-1} onClick={onSelect}>
      {content}
      <Check className="menu-check" />
    </button>
  )
}
