// The icons that definitions may name ("icon": "repeat", by lucide's own names) and that the frame uses. Adding one: import it, list it.
import {
  ArrowDown, ArrowUp, Bell, Box, Boxes, CalendarClock, CalendarDays, ChartLine, Check, ChevronDown, ChevronLeft, ChevronRight, CircleAlert, CircleCheck, CircleDollarSign, CirclePause, CirclePlay, CircleX, Clock, Columns3, Copy,
  CreditCard, Download, Ellipsis, ExternalLink, Eye, EyeOff, FastForward, Funnel, Gift, GripVertical, HandCoins, HeartHandshake, House, Info, Languages, LayoutGrid, LifeBuoy, Link2, List, LogOut, type LucideIcon, Mail, MapPin, Megaphone, Menu,
  Monitor, Moon, Package, Palette, Pencil, Plus, Receipt, RefreshCcwDot, RefreshCw, Repeat, RotateCcw, Search, Send, Settings, ShoppingBag, SkipForward, SlidersHorizontal, Sprout, StickyNote, Store, Sun, Tag, Tags, Ticket, Trash2, TrendingUp, TriangleAlert,
  Truck, Undo2, Upload, UserRound, UserRoundCog, Users, Wrench, X, Zap,
} from 'lucide-react';
import type { ReactElement } from 'react';

export const icons: Record<string, LucideIcon> = {
  'arrow-down': ArrowDown, 'arrow-up': ArrowUp, 'bell': Bell, 'box': Box, 'boxes': Boxes, 'calendar-clock': CalendarClock, 'calendar': CalendarDays, 'calendar-days': CalendarDays, 'chart-line': ChartLine, 'check': Check, 'chevron-down': ChevronDown, 'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight, 'circle-alert': CircleAlert, 'circle-check': CircleCheck, 'circle-dollar-sign': CircleDollarSign, 'circle-pause': CirclePause, 'circle-play': CirclePlay, 'circle-x': CircleX, 'clock': Clock, 'columns-3': Columns3,
  'copy': Copy, 'credit-card': CreditCard, 'download': Download, 'ellipsis': Ellipsis, 'external-link': ExternalLink, 'eye': Eye, 'eye-off': EyeOff, 'fast-forward': FastForward, 'funnel': Funnel, 'gift': Gift, 'grip-vertical': GripVertical, 'hand-coins': HandCoins,
  'heart-handshake': HeartHandshake, 'house': House, 'info': Info, 'languages': Languages, 'layout-grid': LayoutGrid, 'life-buoy': LifeBuoy, 'link': Link2, 'link-2': Link2, 'list': List, 'log-out': LogOut, 'mail': Mail, 'map-pin': MapPin, 'megaphone': Megaphone,
  'menu': Menu, 'monitor': Monitor, 'moon': Moon, 'package': Package, 'palette': Palette, 'pencil': Pencil, 'plus': Plus, 'receipt': Receipt, 'refresh-ccw-dot': RefreshCcwDot, 'refresh-cw': RefreshCw, 'repeat': Repeat, 'rotate-ccw': RotateCcw, 'search': Search, 'send': Send,
  'settings': Settings, 'shopping-bag': ShoppingBag, 'skip-forward': SkipForward, 'sliders-horizontal': SlidersHorizontal, 'sprout': Sprout, 'sticky-note': StickyNote, 'store': Store, 'sun': Sun, 'tag': Tag, 'tags': Tags, 'ticket': Ticket, 'trash': Trash2, 'trash-2': Trash2, 'trending-up': TrendingUp,
  'triangle-alert': TriangleAlert, 'truck': Truck, 'undo': Undo2, 'undo-2': Undo2, 'upload': Upload, 'user': UserRound, 'user-round': UserRound, 'user-round-cog': UserRoundCog, 'users': Users, 'wrench': Wrench, 'x': X, 'zap': Zap,
};

/** An icon by its name, hidden from screen readers: the text beside it (or the button's label) speaks. Unknown names draw nothing. */
export function Icon({ name, size = 16 }: { name: string; size?: number }): ReactElement | null {
  const Found = icons[name];
  return Found ? <Found size={size} strokeWidth={1.75} aria-hidden="true" /> : null;
}
