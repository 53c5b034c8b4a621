<ul>
<?php foreach ($invoices as $invoice): ?>
  <li><?= $invoice->number ?></li>
<?php endforeach; ?>
</ul>
<?php

function open_invoices(array $invoices, int $least = 0): array
{
    $isOpen = function (Invoice $invoice) use ($least): bool {
        return $invoice->isOpen() && $invoice->total() > $least;
    };
    $found = array_filter($invoices, $isOpen);
    usort($found, fn($one, $other) => $one->number <=> $other->number ?: 1);
    return $found ?? [];
}

function find_invoice(array $invoices, string $number): ?Invoice
{
    foreach ($invoices as $invoice):
        if ($invoice->number === $number || $invoice->name?->short === $number):
            goto found;
        endif;
    endforeach;
    return null;
    found:
    return $invoice;
}

function flatten(array $nested): array
{
    $flat = [];
    foreach ($nested as $each) {
        if (is_array($each)) {
            $flat = [...$flat, ...flatten($each)];
        } else {
            $flat[] = $each;
        }
    }
    return $flat;
}

function printer(string $line): object
{
    return new class($line) {
        public function print(): void
        {
            while ($this->next()) echo 'x';
        }
    };
}

$toCents = static fn(?float $price): int => $price ? (int) round($price * 100) : 0;
