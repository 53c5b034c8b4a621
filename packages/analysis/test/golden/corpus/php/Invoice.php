<?php

declare(strict_types=1);

namespace Store\Billing;

use InvalidArgumentException;

final class Invoice extends Document implements Printable
{
    private array $lines = [];

    public function __construct(private ?string $number = null, public readonly bool $isDraft = true, Line ...$lines)
    {
        $this->lines = $lines;
        $this->number ??= uniqid();
    }

    public function total(): float
    {
        $total = 0.0;
        foreach ($this->lines as $key => $line) {
            if ($line->isFree() and $key > 0) {
                continue;
            }
            $total += $line->price * (1 + $this->tax);
        }
        return $total;
    }

    public function state(int $days): string
    {
        if ($this->isDraft) {
            return 'draft';
        } elseif ($days > 30) {
            return 'late';
        } else if ($days > 14 && !$this->isPaid()) {
            return 'due';
        } else {
            return 'open';
        }
    }

    public static function currency(string $country): string
    {
        return match (true) {
            $country === 'CH', $country === 'LI' => 'CHF',
            $country === 'GB' => 'GBP',
            default => $country === '' ? 'none' : 'EUR',
        };
    }

    public function render(array $options, string $title = ''): string
    {
        $name = $options['name'] ?? $title ?: 'Invoice';
        $body = <<<TEXT
            $name {$this->number}
            Total: {$this->total()}
            TEXT;
        switch ($options['format']) {
            case 'html':
            case 'xhtml':
                $body = nl2br($body);
                break;
            default:
                $body = trim($body);
        }
        if ($title): return $title . $body; else: return $body; endif;
    }

    public function send(Mailer $mailer, int $tries): bool
    {
        do {
            try {
                return $mailer->send($this);
            } catch (Timeout | Refused $error) {
                $tries--;
            } catch (Failure) {
                return false;
            } finally {
                $mailer->close();
            }
        } while ($tries > 0);
        return false;
    }

    private function depth(?Node $node): int
    {
        return $node === null ? 0 : 1 + $this->depth($node->parent);
    }
}

trait Numbered
{
    public function next(array $taken): int
    {
        for ($number = 1; ; $number++) {
            while (true) {
                if (in_array($number, $taken)) {
                    continue 2;
                }
                break 2;
            }
        }
        return $number;
    }
}

enum Status: string
{
    case Open = 'open';
    case Paid = 'paid';

    public function label(): string
    {
        return match ($this) {
            self::Open => 'still open',
            self::Paid => 'paid',
        };
    }
}
