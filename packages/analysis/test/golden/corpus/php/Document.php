<?php

namespace Store\Billing;

abstract class Document
{
    public float $tax {
        get => $this->tax ?? 0.19;
        set(float $value) {
            if ($value < 0 || $value > 1) {
                throw new InvalidArgumentException('tax');
            }
            $this->tax = $value;
        }
    }

    abstract public function total(): float;
}

