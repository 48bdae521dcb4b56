import type { LucideIcon } from 'lucide-react'

interface IconButtonProps {
  name: string
  Icon: LucideIcon
  /** It can be reached, and does nothing. */
  off?: boolean
  /** Of one that stays down. */
  pressed?: boolean
  /** What is said to the pointer, where it is not the name. */
  title?: string
  small?: boolean
  onPress: () => void
}

/** A button that is an icon: its name is said and shows under the pointer. */
export function IconButton({
  name,
  Icon,
  off = false,
  pressed,
  title = name,
  small = false,
  onPress
}: IconButtonProps) {
  return (
    <button
      type="button"
      className={`button quiet icon${small ? ' small' : ''}`}
      aria-label={name}
      aria-pressed={pressed}
      title={title}
      aria-disabled={off || undefined}
      onClick={() => off || onPress()}
    >
      <Icon />
    </button>
  )
}
