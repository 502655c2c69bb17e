/* A program that does nothing: the baseline of startup.c. */
int main(void)
{
    return 0;
}
