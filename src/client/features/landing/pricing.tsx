import { Badge, Group, Text, Title } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { checkIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { PLAN_LIMITS } from '#shared/plans.ts';
import classes from './cards.module.css';
import { ContactButton } from './contact-button.tsx';
import { Section } from './section.tsx';

interface PricedPlan {
  name: string;
  description: string;
  price: string;
  period: string;
  features: string[];
  cta: string;
  popular: boolean;
}

const counted = new Intl.NumberFormat('en-US');
const { free, starter, professional } = PLAN_LIMITS;

function included({ requests, documents }: (typeof PLAN_LIMITS)['starter']): string[] {
  return [
    `${counted.format(requests ?? 0)} search operations per month`,
    `Up to ${counted.format(documents ?? 0)} documents`,
  ];
}

const plans: PricedPlan[] = [
  {
    name: 'Starter',
    description: 'For a first product with search in it.',
    price: '$49',
    period: '/month',
    features: [...included(starter), 'Basic analytics', 'Email support'],
    cta: 'Start Free Trial',
    popular: false,
  },
  {
    name: 'Professional',
    description: 'For a growing business.',
    price: '$149',
    period: '/month',
    features: [...included(professional), 'Advanced analytics', 'Priority email support', 'Custom synonyms'],
    cta: 'Start Free Trial',
    popular: true,
  },
  {
    name: 'Enterprise',
    description: 'For large or regulated organisations.',
    price: 'Custom',
    period: '',
    features: [
      'Unlimited operations and documents',
      'Enterprise analytics',
      'Dedicated support',
      'Custom deployment options',
      'Service level agreement',
    ],
    cta: 'Contact Sales',
    popular: false,
  },
];

export function Pricing() {
  return (
    <Section
      id="pricing"
      title="Pricing"
      lead={`An account begins on the free plan: ${counted.format(free.documents ?? 0)} documents and ${counted.format(free.requests ?? 0)} requests a month, for as long as you like. Whoever runs the server gives it another.`}
      isTinted
    >
      <ul className={classes['grid']}>
        {plans.map((plan) => (
          <li key={plan.name} className={classes['card']} data-popular={plan.popular || undefined}>
            <Group justify="space-between" wrap="nowrap">
              <Title order={3}>{plan.name}</Title>
              {plan.popular && <Badge>Most Popular</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {plan.description}
            </Text>
            <p className={classes['price']}>
              {plan.price}
              <span className={classes['period']}>{plan.period}</span>
            </p>
            <ul className={classes['included']}>
              {plan.features.map((feature) => (
                <li key={feature}>
                  <Icon shape={checkIcon} size={16} />
                  {feature}
                </li>
              ))}
            </ul>
            <PlanButton {...plan} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The plan that is made to measure is talked about; the others begin with an account. */
function PlanButton({ name, cta, popular }: PricedPlan) {
  const look = {
    className: classes['cta'] ?? '',
    variant: popular ? 'filled' : 'default',
    fullWidth: true,
  };
  if (name === 'Enterprise') {
    return (
      <ContactButton {...look} subject="Vectora Enterprise">
        {cta}
      </ContactButton>
    );
  }
  return (
    <ButtonLink to="/register" {...look}>
      {cta}
    </ButtonLink>
  );
}
